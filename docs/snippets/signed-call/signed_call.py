# python3 signed_call.py [METHOD TARGET [BODY]]
import hashlib
import hmac
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

BASE_URL = os.environ.get("BASE_URL", "http://localhost:3000")
API_KEY = os.environ.get("API_KEY", "YOUR_API_KEY")
API_SECRET = os.environ.get("API_SECRET", "YOUR_API_SECRET")


def call(method: str, target: str, body: str = "") -> str:
    timestamp, nonce = str(int(time.time())), str(uuid.uuid4())
    signed = "\n".join([method, target, timestamp, nonce, body])
    headers = {
        "content-type": "application/json",
        "x-api-key": API_KEY,
        "x-timestamp": timestamp,
        "x-nonce": nonce,
        "x-signature": hmac.new(API_SECRET.encode(), signed.encode(), hashlib.sha256).hexdigest(),
    }
    request = urllib.request.Request(BASE_URL + target, body.encode() or None, headers, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            return response.read().decode()
    except urllib.error.HTTPError as error:
        return error.read().decode()


print(call(*(sys.argv[1:] or ["GET", "/api/v1/partner/products"])))
