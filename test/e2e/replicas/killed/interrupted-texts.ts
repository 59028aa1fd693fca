import { eventually } from '../../../support/eventually.js';
import type { HeldLock } from '../../../support/held-lock.js';
import { atCode, type HostedClient, newMobile } from '../../../support/hosted-client.js';
import { loanRequest } from '../../../support/loan-requests.js';
import type { TestService } from '../../../support/service.js';
import { expectEqual } from './expected.js';
import { type InterruptedWork, type KillStage, PATIENT } from './kill-stage.js';

interface Confirming {
  readonly id: string;
  readonly mobile: string;
  readonly client: HostedClient;
}

/** SMS about offers: one is not queued yet, another is sent but not recorded. */
export class InterruptedTexts implements InterruptedWork {
  changing!: Confirming;
  sent!: Confirming;
  private senderPid = 0;
  private change!: HeldLock;
  private note!: HeldLock;

  constructor(private readonly stage: KillStage) {}

  async prepare(): Promise<void> {
    [this.changing, this.sent] = await Promise.all([
      this.beforeConfirmation(),
      this.beforeConfirmation(),
    ]);
  }

  async lock(): Promise<HeldLock[]> {
    const { stage } = this;
    this.change = await stage.holdWrite(
      'BEFORE INSERT ON journey_milestones',
      `NEW.journey_id = '${this.changing.id}'`,
    );
    this.note = await stage.holdWrite(
      'BEFORE UPDATE ON sms_messages',
      `NEW.status = 'HANDED_OVER' AND NEW.subject_id = '${this.sent.id}'`,
    );
    return [this.change, this.note];
  }

  async begin(): Promise<void> {
    await Promise.all([this.changing, this.sent].map(({ client }) => client.submit()));
    const [{ pid }] = await this.note.waiting('UPDATE "sms_messages"');
    this.senderPid = pid;
    await this.change.waiting('INSERT INTO journey_milestones');
    expectEqual(this.received(this.sent), 1);
  }

  /** The server would finish a single statement even without its client. */
  async beforeRelease(): Promise<void> {
    await this.stage.records.query('SELECT pg_terminate_backend($1)', [this.senderPid]);
  }

  async expectUnrecorded(): Promise<void> {
    expectEqual(await this.stage.records.state(this.changing.id), 'INITIATED');
    expectEqual(await this.offerMessages(this.changing), []);
    expectEqual(await this.offerMessages(this.sent), [{ outcome: 'TOLD', status: 'WAITING' }]);
  }

  received({ mobile }: Confirming): number {
    return this.stage.texts.received.filter(
      ({ to, text }) => to.endsWith(mobile) && text.includes('your loan offers are here'),
    ).length;
  }

  offerMessages({ id }: Confirming): Promise<object[]> {
    return this.stage.records.query(
      `SELECT m.outcome, s.status FROM sms_messages s
       LEFT JOIN journey_milestones m ON m.journey_id = s.subject_id AND m.sms_id = s.id
       WHERE s.subject_id = $1 AND s.kind = 'OFFERS_READY'`,
      [id],
    );
  }

  private async beforeConfirmation(): Promise<Confirming> {
    const mobile = newMobile();
    const request = loanRequest({ channel: 'API_HOSTED', mobile });
    const { json } = await this.stage.partner.initiate(request);
    const { journeyId: id, hostedUrl } = json.data;
    const { origin, pathname: link } = new URL(hostedUrl);
    // The screens need only the service's address.
    const client = await atCode({ baseUrl: origin } as TestService, { id, mobile, link });
    await client.send303({ code: await this.codeAtGateway(mobile) });
    await client.send303({ agree: '1' });
    return { id, mobile, client };
  }

  private codeAtGateway(mobile: string): Promise<string> {
    return eventually(() => {
      const all = this.stage.texts.taken.filter(({ to }) => to.endsWith(mobile));
      const code = /^(\d+) is your/.exec(all.at(-1)?.text ?? '');
      if (code) return code[1];
      throw new Error(`there is no code for ${mobile}`);
    }, PATIENT);
  }
}
