import base64
import hashlib
import hmac
import re
import time

TOLERANCE_SECONDS = 300


def key_of(secret: str) -> bytes:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    if len(key) != 32:
        raise ValueError("The secret must be whsec_ and 44 characters")
    return key


def is_genuine(key: bytes, id: str, timestamp: str, signatures: str, raw_body: bytes) -> bool:
    """Verifies `webhook-signature`. After a rotation it has a signature for the new and for the old secret."""
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    digest = hmac.digest(key, f"{id}.{timestamp}.".encode() + raw_body, hashlib.sha256)
    expected = b"v1," + base64.b64encode(digest)
    return any(hmac.compare_digest(expected, one.encode()) for one in signatures.split(" "))
