import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { CONSENT_VERSION } from '../../../src/consents/consent-texts.js';
import { ConsentLog } from '../../../src/consents/index.js';
import { Database, translate } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import {
  type HostedClient,
  type HostedStart,
  plain,
  signedIn,
  startHosted,
} from '../../support/hosted-client.js';
import { recordsOf } from '../../support/journey-records.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { expectWords } from '../hosted-steps/step-journey.js';

const CALLS = `${CONSENT_VERSION}/CALLS`;

const service = serviceOfFile();
const records = recordsOf(service);

interface LogRow {
  text_version: string;
  language: string;
  shown_text: string;
  text_hash: string;
  lender_codes: string[];
  came_by: string;
}

/** The consents given on the hosted pages, the required one first. */
function logOf({ id }: HostedStart): Promise<LogRow[]> {
  return records.query<LogRow>(
    `SELECT * FROM consent_log WHERE subject_id = $1 AND way = 'HOSTED' ORDER BY text_version`,
    [id],
  );
}

const versionsOf = async (start: HostedStart) =>
  (await logOf(start)).map(({ text_version: version }) => version);

async function atConsent(): Promise<{ start: HostedStart; client: HostedClient }> {
  const start = await startHosted(service);
  return { start, client: await signedIn(service, start) };
}

/** Confirms; returns the consent to calls in each lender’s offer request. */
async function callConsentsOf(start: HostedStart, client: HostedClient): Promise<unknown[]> {
  const ask = vi.spyOn(service.get(SandboxLender), 'ask');
  try {
    await client.send303();
    const asked = () =>
      new Map(
        ask.mock.calls.flatMap(([{ kind, subjectId, lender, payload }]) =>
          kind === 'OFFERS' && subjectId === start.id
            ? [[lender.code, payload.consent?.mayCall]]
            : [],
        ),
      );
    await vi.waitFor(() => expect(asked().size).toBe(3), { timeout: 15_000 });
    return [...asked().values()];
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
    // Without the required consent it is not recorded.
    const again = await client.submit({ calls: '1' });
    expectWords(again, translate('en', 'entry.consent.missing'));
    expect(boxOf(client)).toContain('checked');
    expect(await logOf(start)).toEqual([]);
    expect((await client.send303({ agree: '1' })).path).toBe('/hosted/check');
    expect(await versionsOf(start)).toEqual([CONSENT_VERSION]);
    expect(await callConsentsOf(start, client)).toEqual([false, false, false]);
  });

  it('ticked, is a consent of its own to the text that was shown, in its language, with lenders and session, of the partner’s own journey', async () => {
    const { start, client } = await atConsent();
    const hindi = client.inLanguage('hi');
    const again = await hindi.submit({ agree: '1', calls: '1' });
    expectWords(again, translate('hi', 'entry.changed'));
    expect(boxOf(hindi)).not.toContain('checked');
    expect(await logOf(start)).toEqual([]);
    const label = labelOf(hindi);
    await hindi.send303({ agree: '1', calls: '1' });
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
    expect(await callConsentsOf(start, hindi)).toEqual([true, true, true]);
    const mayCall = service
      .get<Database>(Database)
      .transaction((tx) =>
        service
          .get<ConsentLog>(ConsentLog)
          .mayCall(tx, { partnerId: 'other', id: start.id }, CONSENT_VERSION),
      );
    expect(await mayCall).toBe(false);
  });

  it('is recorded once when the form is sent twice, and what was sent first counts', async () => {
    const { start, client } = await atConsent();
    const twice = [client, client.copy()].map((one) => one.submit({ agree: '1', calls: '1' }));
    for (const { status } of await Promise.all(twice)) expect(status).toBe(303);
    expect(await versionsOf(start)).toEqual([CONSENT_VERSION, CALLS]);

    const other = await atConsent();
    const late = other.client.copy();
    // Only the box's own value counts as consent.
    await other.client.send303({ agree: '1', calls: 'on' });
    await late.submit({ agree: '1', calls: '1' });
    expect(await versionsOf(other.start)).toEqual([CONSENT_VERSION]);
    // Consent to another version's text does not count for this version.
    await records.query(
      `INSERT INTO consent_log (id, partner_id, subject_id, way, basis, text_version, language, shown_text,
         text_hash, lender_codes, given_at)
       VALUES ($2, $3, $1, 'HOSTED', 'TEXT', '0/CALLS', 'en', 'other', 'hash', '{}', now())`,
      [other.start.id, `cns_of_${other.start.id}`, service.partnerId],
    );
    expect(await callConsentsOf(other.start, other.client)).toEqual([false, false, false]);
  });
});
