# API_SECRET=… python3 sign.py METHOD TARGET TIMESTAMP NONCE < body
import hashlib
import hmac
import os
import sys


def sign(secret: str, method: str, target: str, timestamp: str, nonce: str, body: bytes) -> str:
    head = f"{method.upper()}\n{target}\n{timestamp}\n{nonce}\n"
    return hmac.new(secret.encode(), head.encode() + body, hashlib.sha256).hexdigest()


if __name__ == "__main__":
    print(sign(os.environ["API_SECRET"], *sys.argv[1:5], sys.stdin.buffer.read()))
