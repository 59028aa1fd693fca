// node first-loan.mjs (Node 20 or later, no packages)
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const BASE_URL = process.env.BASE_URL ?? 'http://localhost:3000';
const API_KEY = process.env.API_KEY ?? 'YOUR_API_KEY';
const API_SECRET = process.env.API_SECRET ?? 'YOUR_API_SECRET';

/** A signed call: returns `data`, or throws the error's code. */
async function call(method, path, body, journeySession) {
  const target = `/api/v1/partner${path}`;
  const raw = body === undefined ? '' : JSON.stringify(body);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomUUID();
  const signed = `${method}\n${target}\n${timestamp}\n${nonce}\n${raw}`;
  const signature = createHmac('sha256', API_SECRET).update(signed).digest('hex');
  const response = await fetch(BASE_URL + target, {
    method,
    headers: {
      'x-api-key': API_KEY,
      'x-timestamp': timestamp,
      'x-nonce': nonce,
      'x-signature': signature,
      ...(journeySession && { 'x-journey-session': journeySession }),
    },
    ...(raw !== '' && { body: raw }),
  });
  const answer = await response.json();
  if (!answer.success) {
    throw new Error([answer.code, answer.error, answer.hint].filter(Boolean).join(': '));
  }
  return answer.data;
}

let secret;

/** Uses the raw bytes: a body that is parsed and serialised again would differ. */
function isGenuine(rawBody, signature) {
  const expected = createHmac('sha256', secret).update(rawBody).digest();
  const given = Buffer.from(signature ?? '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

let isOver;
const lastEvent = new Promise((resolve) => (isOver = resolve));

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const rawBody = Buffer.concat(chunks);
  if (!isGenuine(rawBody, request.headers['x-rinpath-signature'])) {
    response.writeHead(400).end();
    return;
  }
  // Answer at once; do the work afterwards.
  response.writeHead(204).end();
  const { event, journeyId, data } = JSON.parse(rawBody);
  console.log(`verified: ${event} ${journeyId}, now ${data.state}`);
  if (/completed|rejected|abandoned/.test(event)) isOver();
});
await new Promise((resolve) => server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', resolve));

const url = process.env.WEBHOOK_URL ?? `http://127.0.0.1:${server.address().port}/webhooks`;
const subscription = await call('POST', '/webhooks', { url });
secret = subscription.secret;

const { journeyId, journeySession } = await call('POST', '/journey/initiate', {
  channel: 'API_HEADLESS',
  productCode: 'ONLINE_PERSONAL',
  mobile: '9876543210',
  loanAmount: 200000,
  customer: {
    fullName: 'Asha Verma',
    pan: 'ABCDE1234F',
    dob: '1990-04-15',
    gender: 'FEMALE',
    employmentType: 'salaried',
    monthlyIncome: 60000,
    pinCode: '560001',
  },
});
console.log(`started: ${journeyId}`);

// Follow the response's next action, not your own list of steps.
const path = `/journey/${journeyId}`;
for (;;) {
  const journey = await call('GET', path, undefined, journeySession);
  const { type, category } = journey.currentNextAction;
  if (category === 'DONE') break;
  if (category === 'POLL') {
    await sleep(journey.pollIntervalSeconds * 1_000);
    continue;
  }
  console.log(`your turn: ${type}`);
  if (category === 'REDIRECT') {
    // Here the applicant opens `url`; in the sandbox a return without a visit counts as done.
    const step = type.replace('REDIRECT_TO_', '');
    await call('POST', `${path}/redirect-returned`, { step }, journeySession);
  } else {
    const payload =
      type === 'SELECT_OFFER'
        ? { offerId: journey.offers[0].offerId, loanAmount: 150000 }
        : {
            accHolderName: 'Asha Verma',
            acctype: 'SAVINGS',
            accNo: '123456789012',
            ifscCode: 'HDFC0001234',
          };
    await call('POST', `${path}/action`, { kind: type, payload }, journeySession);
  }
}
await lastEvent;
await call('DELETE', `/webhooks/${subscription.subscriptionId}`);
server.close();

// An instant loan: one call, and the rest is on our page.
const { applicationId, redirectUrl } = await call('POST', '/instant-loans', {
  mobile: '9876543210',
  customer: { pan: 'ABCDE1234F', firstName: 'Asha' },
});
console.log(`instant loan: open ${redirectUrl}, choose, agree and pay`);
let seen;
while (!['SANCTIONED', 'REJECTED', 'EXPIRED'].includes(seen)) {
  const { status } = await call('GET', `/leads/${applicationId}/status`);
  if (status !== seen) console.log(`instant loan: ${status}`);
  seen = status;
  await sleep(1_000);
}
