"""Certificates: the recorded answers of an engine, with which a decision can be checked without one.

In: a claim that formulas decide. Out: the answers in their order, with a proof for each no, and a second run
of the same decision that takes its answers from there and lets the checker judge every proof. The questions
are derived from the rules both times; only their digests are stored. A yes need not be trusted: it can only
weaken the result, and the interpreter judges a play that it represents.
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
