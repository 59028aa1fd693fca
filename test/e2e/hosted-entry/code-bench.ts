import { afterAll, beforeAll } from 'vitest';
import type { OperatingSettings } from '../../../src/settings/index.js';
import {
  atCode,
  type HostedClient,
  type HostedPage,
  type HostedStart,
  startHosted,
} from '../../support/hosted-client.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { configure } from '../../support/kept-configuration.js';
import type { TestService } from '../../support/service.js';
import { serviceOfFile } from '../../support/shared-service.js';

export const MINUTE = 60_000;

/** Applicants at the code's page, each with its own client address; and the stored codes. */
export class CodeBench {
  readonly records: JourneyRecords;

  constructor(readonly service: TestService) {
    this.records = new JourneyRecords(service.databaseUrl);
  }

  /** A journey at the code's page, with its own client address. */
  async started(pan?: string): Promise<{ start: HostedStart; client: HostedClient }> {
    const start = await startHosted(this.service, pan === undefined ? {} : { pan });
    return { start, client: await atCode(this.service, start, newAddress()) };
  }

  /** The number of a journey's codes; each must have a queued SMS. */
  async codesOf({ id }: HostedStart): Promise<number> {
    const [{ codes, texts }] = await this.records.query<{ codes: number; texts: number }>(
      `SELECT (SELECT count(*)::int FROM one_time_codes WHERE journey_id = $1) AS codes,
         (SELECT count(*)::int FROM sms_messages
          WHERE subject_id = $1 AND kind = 'ONE_TIME_CODE') AS texts`,
      [id],
    );
    if (texts !== codes) throw new Error(`${codes} codes, ${texts} texts`);
    return codes;
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

/** The bench of a spec file, whose service has these settings. */
export function codeBench(settings: Partial<OperatingSettings> = {}): CodeBench {
  const service = serviceOfFile();
  const bench = Object.create(CodeBench.prototype) as CodeBench;
  beforeAll(async () => {
    await setOperating(service, settings);
    Object.assign(bench, new CodeBench(service));
  });
  afterAll(() => bench.records.close());
  return bench;
}

export function setOperating(
  service: TestService,
  settings: Partial<OperatingSettings>,
): Promise<void> {
  return configure(service, 'UPDATE configuration SET settings = settings || $1', [
    JSON.stringify(settings),
  ]);
}

let addresses = 0;

export function newAddress(): { address: string } {
  addresses += 1;
  return { address: `203.0.113.${addresses}` };
}

/** A wrong code. */
export function otherThan(code: string): string {
  return code === '123456' ? '654321' : '123456';
}

export const sendAgain = (client: HostedClient): Promise<HostedPage> =>
  client.send303({}, { action: '/hosted/code/send' });

export function csrfOf(client: HostedClient): string {
  return /name="csrf" value="([^"]*)"/.exec(client.page!.text)?.[1] ?? '';
}
