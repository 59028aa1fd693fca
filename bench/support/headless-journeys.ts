import { SignedClient } from './signed-client.ts';

export const INITIATE_TARGET = '/api/v1/partner/journey/initiate';

/** A journey as the service has just started it. */
export interface StartedJourney {
  readonly journeyId: string;
  readonly journeySession: string;
}

/** What a partner sends to start a headless journey. */
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

/** Starts so many journeys over HTTP, one after the other. */
export async function startJourneys(baseUrl: string, count: number): Promise<StartedJourney[]> {
  const client = new SignedClient(baseUrl);
  const started: StartedJourney[] = [];
  for (let done = 0; done < count; done += 1) {
    const text = await client.post(INITIATE_TARGET, headlessBody());
    started.push((JSON.parse(text) as { data: StartedJourney }).data);
  }
  client.close();
  return started;
}
