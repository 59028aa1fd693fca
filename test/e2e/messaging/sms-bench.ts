import { Database } from '../../../src/platform/index.js';
import { type NewSms, SmsOutbox } from '../../../src/messaging/index.js';
import { eventually } from '../../support/eventually.js';
import type { TestService } from '../../support/service.js';
import type { SmsKind } from '../../../src/settings/index.js';

/** For a machine that is busy with other tests. */
export const WITHIN = { withinMs: 20_000 };

/** A message's row in the database. */
export interface SmsRecord {
  readonly status: string;
  readonly attempts: number;
  readonly unknowns: number;
  readonly content: string | null;
  readonly gateway: string | null;
  readonly gatewayMessageId: string | null;
  readonly failure: string | null;
}

const VALUES: Record<SmsKind, Record<string, string>> = {
  HOSTED_LINK: { link: 'https://rinpath.example/hosted/start/token' },
  ONE_TIME_CODE: { code: '482913' },
  APPLICATION_LINK: { link: 'https://rinpath.example/pay/token' },
  REFUND_MADE: { amount: '₹1,180' },
  OFFERS_READY: { link: 'https://rinpath.example/hosted/start/token' },
  KYC_FAILED: { link: 'https://rinpath.example/hosted/start/token' },
  MONEY_PAID: { link: 'https://rinpath.example/hosted/start/token' },
  COOLING_OFF_ENDING: { link: 'https://rinpath.example/hosted/start/token' },
};

let subjects = 0;

/** A message with defaults for all fields. */
export function someSms(own: Partial<NewSms> = {}): NewSms {
  const kind = own.kind ?? 'HOSTED_LINK';
  subjects += 1;
  return {
    partnerId: 'demo',
    subjectId: `jrn_sms${subjects}`,
    language: 'en',
    applicant: { mobile: '9876543210', pan: 'ABCDE1234F' },
    values: VALUES[kind],
    ...own,
    kind,
  };
}

/** A service's SMS outbox, with access to its tables. */
export class SmsBench {
  readonly smsOutbox: SmsOutbox;
  readonly database: Database;

  constructor(readonly service: TestService) {
    this.smsOutbox = service.get<SmsOutbox>(SmsOutbox);
    this.database = service.get<Database>(Database);
  }

  async put(own: Partial<NewSms> = {}): Promise<string> {
    const sms = someSms({ partnerId: this.service.partnerId, ...own });
    const { id } = await this.database.transaction((tx) => this.smsOutbox.put(tx, sms));
    return id;
  }

  async record(id: string): Promise<SmsRecord> {
    const [row] = await this.database.query<SmsRecord & Record<string, unknown>>(
      `SELECT status, attempts, unknowns, content_sealed AS content, gateway,
         gateway_message_id AS "gatewayMessageId", last_failure AS failure
       FROM sms_messages WHERE id = $1`,
      [id],
    );
    return row;
  }

  /** Waits until the message has this status; returns its record. */
  reaches(id: string, status: string): Promise<SmsRecord> {
    return eventually(async () => {
      const record = await this.record(id);
      if (record.status !== status) throw new Error(`${id} is ${JSON.stringify(record)}`);
      return record;
    }, WITHIN);
  }

  /** Waits until `attempts` tries were begun, and the last has ended. */
  tried(id: string, attempts: number): Promise<SmsRecord> {
    return eventually(async () => {
      const record = await this.record(id);
      const [row] = await this.database.query<{ isFree: boolean }>(
        'SELECT lease_until IS NULL AS "isFree" FROM sms_messages WHERE id = $1',
        [id],
      );
      if (record.attempts < attempts || !row.isFree) {
        throw new Error(`${id} is ${JSON.stringify(record)}`);
      }
      return record;
    }, WITHIN);
  }

  /** Moves the time and runs due work. */
  travel(seconds: number): Promise<void> {
    return this.service.travel(seconds * 1_000);
  }

  /** The two tables as stored. */
  async plainText(): Promise<string> {
    const rows = await this.database.query('SELECT * FROM sms_messages');
    const inbox = await this.database.query('SELECT * FROM sandbox_sms');
    return JSON.stringify([rows, inbox]);
  }
}
