import { Database } from '../../../src/platform/index.js';
import { type NewSms, SmsOutbox } from '../../../src/messaging/index.js';
import { eventually } from '../../support/eventually.js';
import type { TestService } from '../../support/service.js';
import { SmsMessagesRepository } from '../../../src/messaging/store/sms-messages.repository.js';

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
  /** Whether no sender has a lease on it. */
  readonly isFree: boolean;
}

const VALUES = {
  link: 'https://rinpath.example/hosted/start/token',
  code: '482913',
  amount: '₹1,180',
};

let subjects = 0;

/** A message with defaults for all fields. */
export function someSms(own: Partial<NewSms> = {}): NewSms {
  subjects += 1;
  return {
    partnerId: 'demo',
    subjectId: `jrn_sms${subjects}`,
    kind: 'HOSTED_LINK',
    language: 'en',
    applicant: { mobile: '9876543210', pan: 'ABCDE1234F' },
    values: VALUES,
    ...own,
  };
}

/** A service's SMS outbox, with access to its tables. */
export class SmsBench {
  readonly smsOutbox: SmsOutbox;
  readonly messages: SmsMessagesRepository;
  readonly database: Database;

  constructor(readonly service: TestService) {
    this.smsOutbox = service.get<SmsOutbox>(SmsOutbox);
    this.messages = service.get<SmsMessagesRepository>(SmsMessagesRepository);
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
         gateway_message_id AS "gatewayMessageId", last_failure AS failure,
         lease_until IS NULL AS "isFree"
       FROM sms_messages WHERE id = $1`,
      [id],
    );
    return row;
  }

  /** Waits until the message has this status; returns its record. */
  reaches(id: string, status: string): Promise<SmsRecord> {
    return this.recordOnce(id, (record) => record.status === status);
  }

  /** Waits until `attempts` attempts have begun and the last has ended. */
  tried(id: string, attempts: number): Promise<SmsRecord> {
    return this.recordOnce(id, (record) => record.attempts >= attempts && record.isFree);
  }

  private recordOnce(id: string, isSo: (record: SmsRecord) => boolean): Promise<SmsRecord> {
    return eventually(async () => {
      const record = await this.record(id);
      if (!isSo(record)) throw new Error(`${id} is ${JSON.stringify(record)}`);
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
