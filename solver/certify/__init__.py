"""Certificates: what an engine answered while a claim was decided, so that none is needed to check it.

In: a claim that formulas decide. Out: the answers in their order, with a proof for each no, and a second
run of the same decision that takes its answers from there and lets the checker judge every proof. What is
asked is derived from the rules both times; nothing of it is stored but a digest. Nor need a yes be
believed: it can only make less be shown, and a play that it stands for is for the interpreter to judge.
"""

from .certificate import BadEvidence, Certificate, Late, No, Strategies, Strategy, Yes
from .certificate_store import CertificateStore
from .replaying_engine import ReplayingEngine, TooLarge

__all__ = [
    "BadEvidence",
    "Certificate",
    "CertificateStore",
    "Late",
    "No",
    "ReplayingEngine",
    "Strategies",
    "Strategy",
    "TooLarge",
    "Yes",
]  # fmt: skip
