import { journeyIn, type StartedJourney } from '../../support/journey-driver.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { inForm } from '../../support/long-form.js';
import { type Answer, type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { startTwoReplicas, type TwoReplicas } from '../../support/service.js';

/** The number of journeys that are tried one after the other, because a race is not lost every time. */
const JOURNEYS = inForm({ short: 2, long: 25 });
export const TEST_MS = 90_000;

export class BothReplicas {
  readonly left: PartnerClient;
  readonly right: PartnerClient;
  readonly records: JourneyRecords;

  private constructor(readonly replicas: TwoReplicas) {
    this.left = partnerClient(replicas.first);
    this.right = partnerClient(replicas.second);
    this.records = new JourneyRecords(replicas.first.databaseUrl);
  }

  static async start(): Promise<BothReplicas> {
    return new BothReplicas(await startTwoReplicas());
  }

  async close(): Promise<void> {
    await this.records.close();
    await this.replicas.close();
  }

  journeysIn(state: string): Promise<StartedJourney[]> {
    return Promise.all(
      Array.from({ length: JOURNEYS }, (_, index) =>
        journeyIn(index % 2 ? this.left : this.right, state),
      ),
    );
  }

  onBoth<Data>(
    index: number,
    call: (partner: PartnerClient) => Promise<Answer<Data>>,
  ): Promise<Answer<Data>[]> {
    const partners = index % 2 ? [this.left, this.right] : [this.right, this.left];
    return Promise.all(partners.map((partner) => call(partner)));
  }
}

export function statuses(answers: Answer<unknown>[]): number[] {
  return answers.map(({ status }) => status).toSorted((one, other) => one - other);
}
