import { randomUUID } from 'node:crypto';
import { createApplicantA } from '../applicants.ts';
import type { Stage, StartedJourney } from '../stage.ts';

const SIGNATURE_ERROR = 'Invalid signature or expired timestamp';
const TEN_MINUTES = 600;

/** Calls that the service must refuse. */
export async function tryRefusals(stage: Stage, finished: StartedJourney): Promise<void> {
  await tryForgedRequests(stage);
  await tryWithoutSession(stage, finished);
  await tryInvalidApplications(stage);
}

async function tryForgedRequests(stage: Stage): Promise<void> {
  const { raw, checks, timeline } = stage;
  timeline.tell('partner', 'sends the same nonce twice');
  const nonce = randomUUID();
  await raw.call('GET', '/products', { forge: { nonce } });
  await raw.refused('GET', '/products', 401, { forge: { nonce } });

  timeline.tell('partner', 'sends a signature made with another secret');
  const signature = randomUUID().replaceAll('-', '').repeat(2);
  const wrong = await raw.refused('GET', '/products', 401, { forge: { signature } });
  checks.same(wrong.error, SIGNATURE_ERROR, 'the error does not reveal the reason');

  timeline.tell('partner', 'sends a timestamp of ten minutes ago, properly signed');
  const timestamp = String(Math.floor(Date.now() / 1000) - TEN_MINUTES);
  const stale = await raw.refused('GET', '/products', 401, { forge: { timestamp } });
  checks.same(stale.error, SIGNATURE_ERROR, 'the error is the same as for a wrong signature');
}

async function tryWithoutSession(stage: Stage, finished: StartedJourney): Promise<void> {
  const { raw, timeline } = stage;
  const path = `/journey/${finished.journeyId}`;
  const body = { kind: 'SELECT_OFFER', payload: { offerId: 'off_any' } };
  timeline.tell('partner', 'leaves the journey session out');
  await raw.refused('GET', path, 401);
  await raw.refused('POST', `${path}/action`, 401, { body });
  timeline.tell('partner', 'sends the session as a cookie instead of the header');
  await raw.call('GET', path, { headers: { cookie: `journey_session=${finished.session}` } });
  timeline.tell('partner', 'selects an offer on a loan that is paid out already');
  await raw.refused('POST', `${path}/action`, 409, { session: finished.session, body });
}

async function tryInvalidApplications(stage: Stage): Promise<void> {
  const { raw, checks, timeline } = stage;
  const terms = { channel: 'API_HEADLESS', loanAmount: 100_000 };
  timeline.tell('partner', 'asks for ONLINE_INSTANT at the journey endpoint');
  const valid = createApplicantA('Farhan Siddiqui');
  await raw.refused('POST', '/journey/initiate', 400, {
    body: { ...terms, productCode: 'ONLINE_INSTANT', ...valid },
  });

  timeline.tell('partner', 'sends an invalid PAN');
  const invalid = createApplicantA('Farhan Siddiqui', 'ABCD12345');
  const answer = await raw.refused('POST', '/journey/initiate', 400, {
    body: { ...terms, productCode: 'ONLINE_PERSONAL', ...invalid },
  });
  checks.same(answer.error, 'Validation failed', 'the error is "Validation failed"');
  const fields = answer.details.map((detail) => detail.field);
  checks.same(fields, ['customer.pan'], 'details names only customer.pan');
}
