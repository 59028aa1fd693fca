import type { OperatingSettings } from '../../../src/settings/index.js';
import { configurationWith, type TestConfiguration } from '../../support/configuration-with.js';
import {
  atCode,
  type HostedClient,
  type HostedPage,
  type HostedStart,
  startHosted,
} from '../../support/hosted-client.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { startTwoReplicas, type TestService, type TwoReplicas } from '../../support/service.js';

export const MINUTE = 60_000;

/** Two replicas behind a proxy, applicants at the code's screen, and what is recorded of codes. */
export class CodeBench {
  readonly service: TestService;
  readonly records: JourneyRecords;

  private constructor(
    readonly replicas: TwoReplicas,
    private readonly configuration: TestConfiguration,
  ) {
    this.service = replicas.first;
    this.records = new JourneyRecords(this.service.databaseUrl);
  }

  static async start(settings: Partial<OperatingSettings> = {}): Promise<CodeBench> {
    const configuration = configurationWith({ settings });
    const environment = { TRUST_PROXY: '1' };
    try {
      const replicas = await startTwoReplicas({ configFile: configuration.file, environment });
      return new CodeBench(replicas, configuration);
    } catch (error) {
      configuration.remove();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.records.close();
    await this.replicas.close();
    this.configuration.remove();
  }

  /** A journey whose applicant is asked for the code, from an address of its own. */
  async started(pan?: string): Promise<{ start: HostedStart; client: HostedClient }> {
    const start = await startHosted(this.service, pan === undefined ? {} : { pan });
    return { start, client: await atCode(this.service, start, newAddress()) };
  }

  async newestCode(journeyId: string): Promise<{ id: string; tries: number }> {
    const [row] = await this.records.query<{ id: string; tries: number }>(
      `SELECT id, tries FROM one_time_codes WHERE journey_id = $1
       ORDER BY created_at DESC, id DESC LIMIT 1`,
      [journeyId],
    );
    return row;
  }
}

let addresses = 0;

export function newAddress(): { address: string } {
  addresses += 1;
  return { address: `203.0.113.${addresses}` };
}

/** A code that is not the right one. */
export function otherThan(code: string): string {
  return code === '123456' ? '654321' : '123456';
}

export const sendAgain = (client: HostedClient): Promise<HostedPage> =>
  client.send303({}, { action: '/hosted/code/send' });

export function csrfOf(client: HostedClient): string {
  return /name="csrf" value="([^"]*)"/.exec(client.page!.text)?.[1] ?? '';
}
