# WEBHOOK_SECRET=whsec_… python3 verify.py SIGNATURE < body
import hashlib
import hmac
import os
import sys


def is_genuine(secret: str, raw_body: bytes, signature: str) -> bool:
    expected = hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, signature)


if __name__ == "__main__":
    genuine = is_genuine(os.environ["WEBHOOK_SECRET"], sys.stdin.buffer.read(), sys.argv[1])
    print("genuine" if genuine else "forged")
    sys.exit(0 if genuine else 1)
