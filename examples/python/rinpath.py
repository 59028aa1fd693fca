"""A client for partners in Python, with nothing but the standard library.

    rinpath = Rinpath("http://localhost:3000", api_key, api_secret)
    for product in rinpath.call("GET", "/products")["products"]:
        print(product["code"])
"""

import hashlib
import hmac
import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

PREFIX = "/api/v1/partner"
MAX_ATTEMPTS = 4
LONGEST_WAIT = 30.0
# These refusals changed nothing, so every call can be retried.
NOTHING_DONE = {"rate_limited", "lender_unavailable", "idempotency_in_flight"}


class Refused(Exception):
    """The service answered, and refused the call."""

    def __init__(self, status: int, answer: dict, retry_after: str | None) -> None:
        super().__init__(answer.get("error") or f"The answer {status} is not the service's")
        self.status = status
        self.code = answer.get("code", "unreadable_answer")
        self.details = answer.get("details", [])
        self.retry_after = float(retry_after) if (retry_after or "").isdigit() else None


class NoAnswer(Exception):
    """No answer came: what the call should have done may be done."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Another address would see the key."""

    def redirect_request(self, *_: object) -> None:
        return None


class Rinpath:
    def __init__(self, base_url: str, api_key: str, api_secret: str, timeout: float = 15.0) -> None:
        self.base_url = base_url.rstrip("/")
        self.api_key = api_key
        self.api_secret = api_secret
        self.timeout = timeout
        self.opener = urllib.request.build_opener(NoRedirect)

    def call(
        self,
        method: str,
        path: str,
        *,
        query: dict | None = None,
        body: dict | None = None,
        session: str | None = None,
        idempotency_key: str | None = None,
    ) -> dict:
        """Returns `data`. A call with an idempotency key starts once what it is sent for several times."""
        target = PREFIX + path + ("?" + urllib.parse.urlencode(query) if query else "")
        # Serialise once, so that the signed bytes are the sent bytes.
        raw = b"" if body is None else json.dumps(body).encode()
        extra = {"Content-Type": "application/json"} if raw else {}
        if session:
            extra["X-Journey-Session"] = session
        if idempotency_key:
            extra["Idempotency-Key"] = idempotency_key
        is_safe = method == "GET" or idempotency_key is not None
        for attempt in range(1, MAX_ATTEMPTS + 1):
            try:
                return self._send(method, target, raw, extra)
            except Refused as refusal:
                may_repeat = refusal.code in NOTHING_DONE or (is_safe and refusal.status >= 500)
                wait, error = refusal.retry_after, refusal
            except NoAnswer as silence:
                may_repeat, wait, error = is_safe, None, silence
            if wait is None:
                wait = 0.5 * 2 ** (attempt - 1) * random.uniform(0.5, 1.0)
            if not may_repeat or attempt == MAX_ATTEMPTS or wait > LONGEST_WAIT:
                raise error
            time.sleep(wait)
        raise AssertionError("unreachable")

    def _send(self, method: str, target: str, raw: bytes, extra: dict) -> dict:
        # Each attempt needs a new nonce: a used one is refused.
        timestamp, nonce = str(int(time.time())), str(uuid.uuid4())
        head = f"{method}\n{target}\n{timestamp}\n{nonce}\n".encode()
        headers = {
            "x-api-key": self.api_key,
            "x-timestamp": timestamp,
            "x-nonce": nonce,
            "x-signature": hmac.new(self.api_secret.encode(), head + raw, hashlib.sha256).hexdigest(),
            **extra,
        }
        request = urllib.request.Request(
            self.base_url + target, data=raw or None, headers=headers, method=method
        )
        try:
            with self.opener.open(request, timeout=self.timeout) as response:
                return _parse(response.read())["data"]
        except urllib.error.HTTPError as refusal:
            with refusal:
                answer = _parse(refusal.read())
            raise Refused(refusal.code, answer, refusal.headers.get("Retry-After")) from None
        except (OSError, KeyError, http.client.HTTPException) as error:
            raise NoAnswer(f"No answer to {method} {target.split('?')[0]}: {error}") from error


def _parse(text: bytes) -> dict:
    try:
        answer = json.loads(text)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}
