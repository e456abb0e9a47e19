"""The content security policy of the theme, and settings of a configuration that violate it."""

from __future__ import annotations

import logging
from urllib.parse import urlsplit

from mkdocs.config.defaults import MkDocsConfig

_LOG = logging.getLogger("mkdocs.plugins.rulespec")


def check_policy(config: MkDocsConfig) -> None:
    """Warn of scripts and style sheets on hosts that the policy of the theme does not allow.

    Browsers would silently leave them out. Other themes have no policy of ours.
    """
    policy = str(config.theme.get("policy") or "")
    for key, listed in (("extra_javascript", config.extra_javascript), ("extra_css", config.extra_css)):
        for address in map(str, listed):
            host = urlsplit(address).netloc
            if policy and host and host not in policy:
                _LOG.warning(
                    "`%s: %s` is on another host, which the policy of the theme does not allow. "
                    "Keep a copy of it in the site, or name the host in `policy`.",
                    key, address,
                )  # fmt: skip
