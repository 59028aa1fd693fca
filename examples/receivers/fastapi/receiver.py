# pip install -r requirements.txt, then: WEBHOOK_SECRET=whsec_… uvicorn receiver:app --port 8080
import json
import os

from fastapi import BackgroundTasks, FastAPI, Request, Response

from webhook_signature import is_genuine, key_of

KEY = key_of(os.environ["WEBHOOK_SECRET"])

app = FastAPI()

# In production a table: insert the id and the event before the response, and let a worker read it.
seen: set[str] = set()


def handle(event: dict) -> None:
    # Ignore an event whose `sequence` is lower than the highest seen of its journey or lead.
    print(f"handled {event['event']} {event['id']}", flush=True)


@app.post("/webhooks")
async def receive(request: Request, background: BackgroundTasks) -> Response:
    # The signature is over the bytes as they came.
    raw_body = await request.body()
    id, timestamp, signatures = (
        request.headers.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature")
    )
    if not is_genuine(KEY, id, timestamp, signatures, raw_body):
        return Response(status_code=400)
    if id not in seen:
        seen.add(id)
        # After the response, which must come within five seconds.
        background.add_task(handle, json.loads(raw_body))
    return Response(status_code=200)
