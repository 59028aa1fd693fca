import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CONSENT_VERSION } from '../../../src/consents/consent-texts.js';
import { ConsentLog } from '../../../src/consents/index.js';
import { Database, translate } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { runAdmin } from '../../support/admin-command.js';
import {
  HostedClient,
  type HostedStart,
  plain,
  signedIn,
  startHosted,
} from '../../support/hosted-client.js';
import { JourneyRecords } from '../../support/journey-records.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

const CALLS = `${CONSENT_VERSION}/CALLS`;

let service: TestService;
let records: JourneyRecords;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rinpath-calls-'));
  service = await sharedService();
  records = new JourneyRecords(service.databaseUrl);
});

afterAll(async () => {
  await records.close();
  rmSync(folder, { recursive: true, force: true });
});

interface LogRow {
  text_version: string;
  language: string;
  shown_text: string;
  text_hash: string;
  lender_codes: string[];
  came_by: string;
}

/** The applicant's consents on our pages, the required one first. */
function logOf({ id }: HostedStart): Promise<LogRow[]> {
  return records.query<LogRow>(
    `SELECT * FROM consent_log WHERE subject_id = $1 AND way = 'HOSTED' ORDER BY text_version`,
    [id],
  );
}

const versionsOf = async (start: HostedStart) =>
  (await logOf(start)).map(({ text_version: version }) => version);

async function atConsent(
  language: 'en' | 'hi' = 'en',
): Promise<{ start: HostedStart; client: HostedClient }> {
  const start = await startHosted(service);
  return { start, client: await signedIn(service, start, { language }) };
}

/** Confirms; returns the consent to calls in each lender’s offer request. */
async function callConsentsOf(start: HostedStart, client: HostedClient): Promise<unknown[]> {
  const ask = vi.spyOn(service.get(SandboxLender), 'ask');
  try {
    await client.send303();
    const sent = () => {
      const own = ask.mock.calls
        .map(([question]) => question)
        .filter(({ kind, subjectId }) => kind === 'OFFERS' && subjectId === start.id);
      return new Map(own.map(({ lender, payload }) => [lender.code, payload.consent?.mayCall]));
    };
    await vi.waitFor(() => expect(sent().size).toBe(3), { timeout: 15_000 });
    return [...sent().values()];
  } finally {
    ask.mockRestore();
  }
}

const boxOf = (client: HostedClient) => /<input[^>]*id="calls"[^>]*>/.exec(client.page!.text)![0];

/** The label beside the box; its note is not part of the consent. */
const labelOf = (client: HostedClient) =>
  plain(/id="calls"[^>]*><span>(.*?)(?:<small>|<\/span>)/s.exec(client.page!.text)![1]);

describe('the box for calls', () => {
  it('is not ticked at first, and left empty the journey goes on: no consent to calls is kept, and the lenders get that', async () => {
    const { start, client } = await atConsent();
    expect(boxOf(client)).not.toContain('checked');
    // Without the other consent it is not recorded.
    const again = await client.submit({ calls: '1' });
    expect(plain(again.text)).toContain(translate('en', 'entry.consent.missing'));
    expect(boxOf(client)).toContain('checked');
    expect(await logOf(start)).toEqual([]);
    expect((await client.send303({ agree: '1' })).path).toBe('/hosted/check');
    expect(await versionsOf(start)).toEqual([CONSENT_VERSION]);
    expect(await callConsentsOf(start, client)).toEqual([false, false, false]);
  });

  it('ticked, is a consent of its own to the text that was shown, in its language, with lenders and session, of the partner’s own journey', async () => {
    const { start, client } = await atConsent();
    const inHindi = nowInHindi(client);
    const again = await inHindi.submit({ agree: '1', calls: '1' });
    expect(plain(again.text)).toContain(translate('hi', 'entry.changed'));
    expect(boxOf(inHindi)).not.toContain('checked');
    const tampered = await inHindi.submit({ agree: '1', calls: '1', shown: 'f'.repeat(64) });
    expect(tampered.status).toBe(200);
    expect(await logOf(start)).toEqual([]);
    const label = labelOf(inHindi);
    await inHindi.send303({ agree: '1', calls: '1' });
    const [needed, calls] = await logOf(start);
    expect(calls).toMatchObject({
      text_version: CALLS,
      language: 'hi',
      shown_text: label,
      text_hash: createHash('sha256').update(label).digest('hex'),
      lender_codes: needed.lender_codes,
      came_by: needed.came_by,
    });
    expect(needed.shown_text).not.toContain(label);
    expect(await callConsentsOf(start, inHindi)).toEqual([true, true, true]);
    const log = service.get<ConsentLog>(ConsentLog);
    const said = await service
      .get<Database>(Database)
      .transaction((tx) =>
        Promise.all(
          [service.partnerId, 'other'].map((partnerId) =>
            log.mayCall(tx, { partnerId, id: start.id }, CONSENT_VERSION),
          ),
        ),
      );
    expect(said).toEqual([true, false]);
  });

  it('is recorded once when the form is sent twice, and what was sent first counts', async () => {
    const { start, client } = await atConsent();
    const twice = [
      client.submit({ agree: '1', calls: '1' }),
      client.copy().submit({ agree: '1', calls: '1' }),
    ];
    for (const { status } of await Promise.all(twice)) expect(status).toBe(303);
    expect(await versionsOf(start)).toEqual([CONSENT_VERSION, CALLS]);

    const other = await atConsent();
    const late = other.client.copy();
    // Only the box's own value counts as consent.
    await other.client.send303({ agree: '1', calls: 'on' });
    await late.submit({ agree: '1', calls: '1' });
    expect(await versionsOf(other.start)).toEqual([CONSENT_VERSION]);
  });

  it('is of the text that it was given with: one with another version says nothing of this one', async () => {
    const { start, client } = await atConsent();
    await client.send303({ agree: '1' });
    await records.query(
      `INSERT INTO consent_log (id, partner_id, subject_id, way, basis, text_version, language, shown_text,
         text_hash, lender_codes, given_at)
       VALUES ($2, $3, $1, 'HOSTED', 'TEXT', '0/CALLS', 'en', 'other', 'hash', '{}', now())`,
      [start.id, `cns_of_${start.id}`, service.partnerId],
    );
    expect(await callConsentsOf(start, client)).toEqual([false, false, false]);
  });

  it('stays after an erasure; the audit notices that its record was deleted', async () => {
    const { start, client } = await atConsent();
    await client.send303({ agree: '1', calls: '1' });
    const before = await logOf(start);
    const of = ['--journey', start.id];
    const admin = (...command: string[]) => runAdmin(service.databaseUrl, ...command);
    expect((await admin('applicants', 'erase', ...of, '--force')).code).toBe(0);
    expect(await logOf(start)).toEqual(before);
    expect(await admin('audit', 'verify', ...of)).toMatchObject({ code: 0 });
    const trigger = (state: 'DISABLE' | 'ENABLE') =>
      records.query(`ALTER TABLE consent_log ${state} TRIGGER consent_log_stays`);
    await trigger('DISABLE');
    try {
      await records.query('DELETE FROM consent_log WHERE subject_id = $1 AND text_version = $2', [
        start.id,
        CALLS,
      ]);
    } finally {
      await trigger('ENABLE');
    }
    expect(await admin('audit', 'verify', ...of)).toMatchObject({ code: 1 });
  });
});

/** The same browser and page, switched to Hindi. */
function nowInHindi(client: HostedClient): HostedClient {
  const other = new HostedClient(service.baseUrl, { language: 'hi' });
  for (const [name, value] of client.cookies) other.cookies.set(name, value);
  other.page = client.page;
  return other;
}
