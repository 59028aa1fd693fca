"""Takes a headless loan to the payout, from the environment's key: python3 loan.py"""

import os
import time
import uuid

from rinpath import Refused, Rinpath

rinpath = Rinpath(
    os.environ.get("RINPATH_BASE_URL", "http://localhost:3000"),
    os.environ["RINPATH_API_KEY"],
    os.environ["RINPATH_API_SECRET"],
)
started = rinpath.call(
    "POST",
    "/journey/initiate",
    idempotency_key=str(uuid.uuid4()),
    body={
        "channel": "API_HEADLESS",
        "productCode": "ONLINE_PERSONAL",
        "loanAmount": 100000,
        "mobile": "9876543210",
        "customer": {
            "fullName": "Asha Verma",
            "pan": "ABCPV1234D",
            "dob": "1990-05-17",
            "gender": "FEMALE",
            "employmentType": "salaried",
            "monthlyIncome": 85000,
            "companyName": "Example Textiles",
            "pinCode": "560001",
            "city": "Bengaluru",
            "state": "Karnataka",
        },
    },
)
path = f"/journey/{started['journeyId']}"
session = started["journeySession"]


def act(kind: str, payload: dict) -> None:
    rinpath.call("POST", f"{path}/action", session=session, body={"kind": kind, "payload": payload})


journey = rinpath.call("GET", path, session=session)
while (action := journey["currentNextAction"])["category"] != "DONE":
    print(action["type"])
    try:
        if action["type"] == "SELECT_OFFER":
            offer = journey["offers"][0]
            act("SELECT_OFFER", {"offerId": offer["offerId"], "loanAmount": offer["principalAmount"]})
        elif action["type"] == "SUBMIT_BANK_ACCOUNT":
            account = {"acctype": "SAVINGS", "accNo": "50100123456789", "ifscCode": "HDFC0001234"}
            act("SUBMIT_BANK_ACCOUNT", {"accHolderName": "Asha Verma", **account})
        elif action["category"] == "REDIRECT":
            # Send the applicant to action["url"]. In the sandbox a return without a visit counts as done.
            step = action["type"].removeprefix("REDIRECT_TO_")
            rinpath.call("POST", f"{path}/redirect-returned", session=session, body={"step": step})
        else:
            time.sleep(journey["pollIntervalSeconds"])
    except Refused as refusal:
        if refusal.status != 409:
            raise
        # The journey has moved on meanwhile: read its state.
    journey = rinpath.call("GET", path, session=session)
print(journey["outcome"])
