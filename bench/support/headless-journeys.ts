import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ALONE } from './alone.ts';
import { NoSuccess, SignedClient } from './signed-client.ts';

const MOST_TRIES = 10;
const REST_MS = 1_000;

export const INITIATE_TARGET = '/api/v1/partner/journey/initiate';

/** A journey that the service just started. */
export interface StartedJourney {
  readonly journeyId: string;
  readonly journeySession: string;
}

/** The body that starts a headless journey. */
export function headlessBody(mobile = '9876543210', pan = 'ABCPV1234K'): string {
  return JSON.stringify({
    channel: 'API_HEADLESS',
    productCode: 'ONLINE_PERSONAL',
    mobile,
    loanAmount: 200_000,
    customer: {
      fullName: 'Asha Verma',
      pan,
      dob: '1992-04-11',
      gender: 'FEMALE',
      employmentType: 'salaried',
      monthlyIncome: 60_000,
      pinCode: '560034',
    },
  });
}

/** Starts `count` journeys over HTTP in sequence; retries after a 503. */
export async function startJourneys(baseUrl: string, count: number): Promise<StartedJourney[]> {
  const client = new SignedClient(baseUrl);
  const started: StartedJourney[] = [];
  for (let done = 0; done < count; done += 1) {
    const text = await startOne(client);
    started.push((JSON.parse(text) as { data: StartedJourney }).data);
  }
  client.close();
  return started;
}

/** The key makes it one journey, however often it is retried. */
async function startOne(client: SignedClient): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() };
  for (let tries = 1; ; tries += 1) {
    try {
      return await client.post(INITIATE_TARGET, headlessBody(), headers);
    } catch (error) {
      if (!(error instanceof NoSuccess) || error.status !== 503) throw error;
      if (tries === MOST_TRIES) throw new Error(`${error.message}\n${ALONE}`, { cause: error });
      await sleep(REST_MS);
    }
  }
}
