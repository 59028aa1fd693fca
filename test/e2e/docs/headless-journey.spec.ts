import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { OUTCOME_REASONS } from '../../../src/journeys/domain/journey-state.js';
import { HEADLESS_ACTIONS } from '../../../src/journeys/domain/next-action.js';
import { TRANSITIONS } from '../../../src/journeys/domain/transition-table.js';
import { CONSENT_TEXTS, CONSENT_VERSION } from '../../../src/consents/consent-texts.js';
import { WEBHOOK_EVENTS } from '../../../src/webhooks/index.js';
import { eventually } from '../../support/eventually.js';
import { type Answer, partnerClient, type PartnerClient } from '../../support/partner-client.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { ProductCatalogue } from '../../../src/settings/index.js';

const PAGE = readFileSync(
  new URL('../../../docs/partners/headless-journey.md', import.meta.url),
  'utf8',
);

interface Step {
  method: string;
  path: string;
  body: string | undefined;
  expected: unknown;
}

const service = serviceOfFile();
let partner: PartnerClient;

beforeAll(() => {
  partner = partnerClient(service);
});

/** The cells of the table whose first column has this heading. */
function tableOf(heading: string): string[][] {
  const lines = PAGE.split('\n');
  const start = lines.findIndex((line) => new RegExp(`^\\| ${heading} +\\|`).test(line));
  expect(start).toBeGreaterThan(0);
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  return lines.slice(start + 2, length < 0 ? undefined : start + length).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.replaceAll('`', '').trim()),
  );
}

/** The example's requests with their responses: an `http` block, then one or two `json` blocks. */
function stepsOf(): Step[] {
  const blocks = [...PAGE.matchAll(/```(http|json)\n([\s\S]*?)```/g)];
  const steps: { line: string; json: string[] }[] = [];
  for (const [, kind, text] of blocks) {
    if (kind === 'http') steps.push({ line: text.trim(), json: [] });
    else steps.at(-1)!.json.push(text);
  }
  return steps.map(({ line, json }) => {
    const [method, path] = line.split(' ');
    const body = json.length > 1 ? json[0] : undefined;
    return { method, path, body, expected: matcherOf(JSON.parse(json.at(-1)!)) };
  });
}

/** Matches what the page shows: `…` is any text, and a response may have more fields. */
function matcherOf(value: unknown): unknown {
  if (typeof value === 'string' && value.endsWith('…')) {
    return expect.stringMatching(new RegExp(`^${value.slice(0, -1)}.+`));
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, matcherOf(field)]);
  return expect.objectContaining(Object.fromEntries(fields) as object);
}

/** The API document's example of each event equals what this journey sent, except ids and times. */
async function expectDocumentedEvents(): Promise<void> {
  const sent = await eventually(async () => {
    const { json } = await partner.get<{ events: { event: string }[] }>('/events');
    expect(json.data.events.map(({ event }) => event)).toContain('journey.completed');
    return json.data.events;
  });
  const { webhooks } = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as {
    webhooks: Record<string, { post: { requestBody: { content: object } } }>;
  };
  const alike = (body: unknown) =>
    JSON.stringify(body)
      .replaceAll(/(evt|jrn|app)_\w{32}/g, '$1_…')
      .replaceAll(/"\d{4}-[^"]+Z"/g, '"…"');
  for (const body of sent) {
    const { content } = webhooks[body.event].post.requestBody;
    const { examples } = Object.values(content)[0] as { examples: { body: { value: object } } };
    expect(alike(examples.body.value)).toBe(alike(body));
  }
  expect(sent).toHaveLength(7);
}

describe('docs/partners/headless-journey.md', () => {
  it.each(['en', 'hi'] as const)('has the consent text that is in force: %s', (language) => {
    const wording = CONSENT_TEXTS[CONSENT_VERSION][language];
    const parts = wording.parts.map(({ heading, points, note }) => {
      const shown = points
        .filter((point) => typeof point === 'string' || point.only === 'PARTNER')
        .map((point) => `- ${typeof point === 'string' ? point : point.text}`);
      return [`**${heading}**`, ...(shown.length > 0 ? [shown.join('\n')] : []), note];
    });
    const opening = `<!-- consent-text:${CONSENT_VERSION}:${language} -->`;
    const shown = PAGE.split(opening)[1]?.split('<!-- /consent-text -->')[0];
    expect(shown?.trim()).toBe([...parts.flat(), wording.agreement].join('\n\n'));
  });

  it('shows an example that works, request by request', { timeout: 60_000 }, async () => {
    const known: Record<string, string> = {};
    const filled = (text: string) =>
      text.replaceAll(/\{(\w+)\}/g, (all, name: string) => known[name] ?? all);
    const send = ({ method, path, body }: Step): Promise<Answer> =>
      partner.request(method, filled(path), {
        ...(body !== undefined && { body: filled(body) }),
        session: known.journeySession,
      });
    const steps = stepsOf();
    expect(steps).toHaveLength(8);
    for (const step of steps) {
      const { json } = await eventually(
        async () => {
          const answer = await send(step);
          // A GET is polled until its response matches; other calls are checked at once.
          const isPolled = step.method === 'GET';
          expect([answer.status, isPolled ? answer.json : null]).toEqual([
            200,
            isPolled ? step.expected : null,
          ]);
          return answer;
        },
        { withinMs: 15_000 },
      );
      expect(json).toEqual(step.expected);
      const { journeyId, journeySession, offers } = json.data as Record<string, never>;
      if (journeySession) Object.assign(known, { journeyId, journeySession });
      const [offer] = (offers ?? []) as { offerId: string }[];
      if (offer) known.offerId = offer.offerId;
    }
    await expectDocumentedEvents();
  });

  it('has every state and next action of the code, and where each leads', () => {
    const shown = tableOf('State').map(([state, type, category, , leads]) => [
      state,
      type,
      category,
      leads === '' ? [] : leads.split(', ').toSorted(),
    ]);
    const inCode = HEADLESS_ACTIONS.map(({ state, type, category }) => {
      // Only the hosted screens let an applicant deselect an offer.
      const moves = TRANSITIONS.filter(
        ({ from, trigger }) => from === state && trigger !== 'OFFER_LET_GO',
      );
      const targets = moves.map(({ to }) => (to === 'NEXT_STEP' ? 'next step' : to));
      return [state, type, category, [...new Set(targets)].toSorted()];
    });
    expect(shown).toEqual(inCode);
  });

  it('has the steps of every product of the sandbox, in order', async () => {
    for (const [code, steps] of tableOf('Product')) {
      const product = await service.get<ProductCatalogue>(ProductCatalogue).find(code);
      expect([code, steps]).toEqual([code, product!.steps.join(', ')]);
    }
    expect(tableOf('Product')).toHaveLength(4);
  });

  it('has every reason and every event, and no other', () => {
    expect(tableOf('`outcomeReason`').map(([reason]) => reason)).toEqual([...OUTCOME_REASONS]);
    expect(tableOf('Event').map(([event]) => event)).toEqual([...WEBHOOK_EVENTS]);
  });
});
