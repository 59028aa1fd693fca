import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sms as smsSection } from '../../../src/admin/configuration/sms-section.js';
import {
  HttpSmsGateway,
  type SmsGateway,
  SmsRefused,
  type SmsToSend,
  SmsUnavailable,
  TwilioSmsGateway,
} from '../../../src/messaging/index.js';
import { type Environment, OutboundClient } from '../../../src/platform/index.js';
import { SmsInboxGateway } from '../../../src/sandbox/index.js';
import { SANDBOX_DEPLOYMENT } from '../../support/deployments.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { HttpGatewayServer, type Mood, TwilioServer } from '../../support/sms-gateways.js';
import type { SmsSettings } from '../../../src/settings/index.js';

const MOBILE = '9812345670';
const LINK = 'https://rinpath.example/hosted/start/SecretToken';
const TEXTS = {
  en: `Rinpath & "Sons": 100% <yours>, it's {{here}}: ${LINK} + more\\n`,
  hi: `ऋण: अपना आवेदन यहाँ जारी रखें: ${LINK} इसे किसी को न भेजें।`,
};

let ids = 0;

function sms(own: Partial<SmsToSend> = {}): SmsToSend {
  ids += 1;
  return {
    id: `sms_contract${ids}`,
    partnerId: 'demo',
    subjectId: 'jrn_contract',
    kind: 'HOSTED_LINK',
    language: 'en',
    mobile: MOBILE,
    pan: 'ABCDE1234F',
    text: TEXTS.en,
    values: { link: LINK },
    templateId: '1107000000000000001',
    validForSeconds: 259_200,
    ...own,
  };
}

/** An adapter with what stands behind it. */
interface Bench {
  readonly gateway: SmsGateway;
  readonly settings: SmsSettings;
  /** What arrived: number and text. */
  arrived(): Promise<{ to: string; text: string }[]>;
  behave(mood: Mood): void;
  reset(): Promise<void>;
  close(): Promise<void>;
}

const outbound = new OutboundClient({ isLoopback: true } as Environment);
afterAll(() => outbound.close());

/** What the service makes of a section `sms` of its configuration. */
function settingsOf(section: Record<string, unknown>): SmsSettings {
  return smsSection(SANDBOX_DEPLOYMENT).parse(section);
}

async function overTheWire(
  server: TwilioServer | HttpGatewayServer,
  gateway: SmsGateway,
): Promise<Bench> {
  await server.start();
  return {
    gateway,
    settings: settingsOf(server.section),
    arrived: () => Promise.resolve(server.taken),
    behave: (mood) => server.behave(mood),
    reset: () => Promise.resolve(server.reset()),
    close: () => server.stop(),
  };
}

async function inboxBench(): Promise<Bench> {
  const service: TestService = await sharedService();
  const arrived = async () => {
    const answer = await fetch(`${service.baseUrl}/sandbox/inbox.json`);
    const { data } = (await answer.json()) as {
      data: { messages: { id: string; mobile: string; text: string }[] };
    };
    const own = data.messages.filter(({ id }) => id.startsWith('sms_contract'));
    return own.map(({ mobile, text }) => ({ to: `+91${mobile}`, text })).toReversed();
  };
  let taken = (await arrived()).length;
  return {
    gateway: service.get<SmsInboxGateway>(SmsInboxGateway),
    settings: { gateway: { kind: 'inbox' }, dlt: null, templateIds: {} },
    arrived: async () => (await arrived()).slice(taken),
    behave: () => undefined,
    reset: async () => {
      taken = (await arrived()).length;
    },
    close: () => Promise.resolve(),
  };
}

const httpGet = (baseUrl: string) => ({
  method: 'GET',
  url: `${baseUrl}/send?to={{mobileWithCountryCode}}&text={{text}}&reference={{messageId}}`,
  body: undefined,
});

const HTTP_FORM = {
  method: 'POST',
  headers: {
    'X-Api-Key': 'http-gateway-test-key',
    'Content-Type': 'application/x-www-form-urlencoded',
  },
  body: 'to={{mobileWithCountryCode}}&text={{text}}&reference={{messageId}}',
};

/** The adapters that speak to somebody else. */
const REMOTE: [string, () => Promise<Bench>][] = [
  ['twilio', () => overTheWire(new TwilioServer(), new TwilioSmsGateway(outbound))],
  ['http with JSON', () => overTheWire(new HttpGatewayServer(), new HttpSmsGateway(outbound))],
  [
    'http with a form',
    () => overTheWire(new HttpGatewayServer({ http: HTTP_FORM }), new HttpSmsGateway(outbound)),
  ],
  [
    'http with GET',
    () => overTheWire(new HttpGatewayServer({ http: httpGet }), new HttpSmsGateway(outbound)),
  ],
];

const EVERY: [string, () => Promise<Bench>][] = [['inbox', inboxBench], ...REMOTE];

/** Everything that a log line could show of an error. */
function traceOf(error: unknown): string {
  const parts: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) {
    parts.push(at.name, at.message, at.stack ?? '', JSON.stringify(at));
  }
  return parts.join('\n');
}

function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => Promise.reject(new Error('the gateway took the message')),
    (error: unknown) => error,
  );
}

describe.each(EVERY)('the %s gateway', (_, open) => {
  let bench: Bench;
  const send = (message = sms()) => bench.gateway.send(message, bench.settings);

  beforeAll(async () => {
    bench = await open();
  });
  afterEach(() => bench.reset());
  afterAll(() => bench?.close());

  it.each(['en', 'hi'] as const)(
    'is given the number and the very text in %s',
    async (language) => {
      await send(sms({ language, text: TEXTS[language] }));
      const [{ to, text }] = await bench.arrived();
      expect(to.replace('+', '')).toBe(`91${MOBILE}`);
      expect(text).toBe(TEXTS[language]);
    },
  );

  it('answers the gateway’s own id of the message', async () => {
    const first = await send();
    const second = await send();
    for (const { gatewayMessageId } of [first, second]) expect(gatewayMessageId).toMatch(/\S/);
    expect(first.gatewayMessageId).not.toBe(second.gatewayMessageId);
  });

  it('sends many side by side, each to its own number', async () => {
    const messages = Array.from({ length: 20 }, (__, index) =>
      sms({ mobile: `98000000${String(index).padStart(2, '0')}`, text: `to ${index}` }),
    );
    await Promise.all(messages.map((message) => send(message)));
    const arrived = await bench.arrived();
    const pairs = arrived.map(({ to, text }) => `${to.slice(-10)} ${text}`);
    expect(pairs.toSorted()).toEqual(messages.map(({ mobile, text }) => `${mobile} ${text}`));
  });
});

describe.each(REMOTE)('the %s gateway, when what is behind it', (_, open) => {
  let bench: Bench;
  const send = (message = sms()) => bench.gateway.send(message, bench.settings);

  beforeAll(async () => {
    bench = await open();
  });
  afterEach(() => bench.reset());
  afterAll(() => bench?.close());

  it('refuses the number, says so for good', async () => {
    bench.behave('REFUSES');
    const error = await failureOf(send());
    expect(error).toBeInstanceOf(SmsRefused);
    expect(traceOf(error)).not.toContain(MOBILE);
  });

  it.each([
    ['LOCKS_OUT', false],
    ['THROTTLES', false],
    ['IS_DOWN', false],
    ['FAILS', true],
    ['TALKS_NONSENSE', true],
    ['HANGS_UP', true],
  ] as const)('%s, says that it may be tried again', async (mood, mayHaveGone) => {
    bench.behave(mood);
    const error = await failureOf(send());
    expect(error).toBeInstanceOf(SmsUnavailable);
    expect(error).toMatchObject({ mayHaveGone });
    for (const secret of [MOBILE, 'SecretToken', 'test-token', 'test-key']) {
      expect(traceOf(error)).not.toContain(secret);
    }
    bench.behave('TAKES');
    await expect(send()).resolves.toBeTruthy();
  });

  it('is not there at all, knows that nothing has gone', async () => {
    const gone = await open();
    await gone.close();
    const error = await failureOf(gone.gateway.send(sms(), gone.settings));
    expect(error).toBeInstanceOf(SmsUnavailable);
    expect(error).toMatchObject({ mayHaveGone: false });
  });

  it('is of another kind, does not take its settings for its own', async () => {
    const settings = { ...bench.settings, gateway: { kind: 'inbox' as const } };
    await expect(bench.gateway.send(sms(), settings)).rejects.toThrow('no settings of a');
  });
});

// Side by side: each takes as long as a call may.
describe('what is behind a gateway is stuck', () => {
  it.concurrent.each(REMOTE)('%s gives up by itself', async (_, open) => {
    const bench = await open();
    try {
      bench.behave('IS_STUCK');
      const error = await failureOf(bench.gateway.send(sms(), bench.settings));
      expect(error).toBeInstanceOf(SmsUnavailable);
      expect(error).toMatchObject({ reason: 'timeout', mayHaveGone: true });
    } finally {
      await bench.close();
    }
  });
});

describe('a text under no DLT id', () => {
  it.each([
    ['refused where the gateway is told the id: operators would drop it', {}, 'SmsRefused', 0],
    ['sent where the gateway is told none', { http: HTTP_FORM }, 'sent', 1],
    ['sent where nothing is registered', { sms: { dlt: undefined } }, 'sent', 1],
  ])('is %s', async (_, own, outcome, sent) => {
    const bench = await overTheWire(new HttpGatewayServer(own), new HttpSmsGateway(outbound));
    try {
      const sending = bench.gateway.send(sms({ templateId: null }), bench.settings).then(
        () => 'sent',
        ({ name }: Error) => name,
      );
      expect(await sending).toBe(outcome);
      expect(await bench.arrived()).toHaveLength(sent);
    } finally {
      await bench.close();
    }
  });
});

describe('the inbox gateway', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await inboxBench();
  });
  afterAll(() => bench?.close());

  it('is down for the PAN that is reserved for it', async () => {
    const error = await failureOf(bench.gateway.send(sms({ pan: 'SANDX0011Q' }), bench.settings));
    expect(error).toMatchObject({ name: 'SmsUnavailable', mayHaveGone: false });
    expect(await bench.arrived()).toEqual([]);
  });

  it('keeps a message that comes twice once', async () => {
    const message = sms();
    await bench.gateway.send(message, bench.settings);
    await bench.gateway.send(message, bench.settings);
    expect(await bench.arrived()).toHaveLength(1);
  });
});
