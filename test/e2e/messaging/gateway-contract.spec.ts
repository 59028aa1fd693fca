import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sms as smsSection } from '../../../src/admin/configuration/sms-section.js';
import {
  HttpSmsGateway,
  SmsRefused,
  type SmsToSend,
  SmsUnavailable,
  TwilioSmsGateway,
} from '../../../src/messaging/index.js';
import { type Environment, OutboundClient } from '../../../src/platform/index.js';
import { SANDBOX_DEPLOYMENT } from '../../support/deployments.js';
import { HttpGatewayServer, TwilioServer } from '../../support/sms-gateways.js';
import type { SmsSettings, TwilioSettings } from '../../../src/settings/index.js';

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

const outbound = new OutboundClient({ isLoopback: true } as Environment);
const twilioGateway = new TwilioSmsGateway(outbound);
const httpGateway = new HttpSmsGateway(outbound);
afterAll(() => outbound.close());

/** Parses the section `sms` as the service does. */
function settingsOf({ section }: TwilioServer | HttpGatewayServer): SmsSettings {
  return smsSection(SANDBOX_DEPLOYMENT).parse(section);
}

/** Everything about an error that a log line could contain. */
function traceOf(error: unknown): string {
  const parts: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause)
    parts.push(at.name, at.message, at.stack ?? '', JSON.stringify(at));
  return parts.join('\n');
}

describe.each([
  ['twilio', () => new TwilioServer(), twilioGateway],
  ['http', () => new HttpGatewayServer(), httpGateway],
] as const)('the %s gateway', (_, make, gateway) => {
  const server = make();
  let settings: SmsSettings;
  const failure = (of = settings) =>
    gateway.send(sms(), of).then(
      () => Promise.reject(new Error('the gateway took the message')),
      (error: unknown) => error,
    );

  beforeAll(async () => {
    settings = settingsOf(await server.start());
  });
  afterEach(() => server.reset());
  afterAll(() => server.stop());

  it('is given the number and the very text of each message, many side by side, and answers its own id', async () => {
    const messages = Array.from({ length: 20 }, (__, index) =>
      sms({
        mobile: `98000000${String(index).padStart(2, '0')}`,
        text: `${index} ${index % 2 ? TEXTS.hi : TEXTS.en}`,
      }),
    );
    const receipts = await Promise.all(messages.map((message) => gateway.send(message, settings)));
    expect(new Set(receipts.map(({ gatewayMessageId }) => gatewayMessageId)).size).toBe(20);
    const arrived = server.taken.map(({ to, text }) => `${to.replace('+', '')} ${text}`);
    const sent = messages.map(({ mobile, text }) => `91${mobile} ${text}`);
    expect(arrived.toSorted()).toEqual(sent.toSorted());
  });

  it('refuses a number, fails or is not there, says what may be tried again, and nothing of the message', async () => {
    for (const [mood, Kind, mayHaveGone] of [
      ['REFUSES', SmsRefused, undefined],
      ['LOCKS_OUT', SmsUnavailable, false],
      ['IS_DOWN', SmsUnavailable, false],
      ['FAILS', SmsUnavailable, true],
      ['TALKS_NONSENSE', SmsUnavailable, true],
      ['HANGS_UP', SmsUnavailable, true],
    ] as const) {
      server.behave(mood);
      const error = await failure();
      expect(error).toBeInstanceOf(Kind);
      expect([mood, (error as SmsUnavailable).mayHaveGone]).toEqual([mood, mayHaveGone]);
      expect(traceOf(error)).not.toMatch(/9812345670|SecretToken|test-token|test-key/);
    }
    const others = { ...settings, gateway: { kind: 'inbox' as const } };
    expect(await failure(others)).toMatchObject({
      message: expect.stringContaining('not settings of a'),
    });
    const other = await make().start();
    const gone = settingsOf(other);
    await other.stop();
    expect(await failure(gone)).toMatchObject({ name: 'SmsUnavailable', mayHaveGone: false });
  });
});

const WITHOUT_ID = '{"to":"{{mobileWithCountryCode}}","text":"{{text}}"}';

describe('a text under no DLT id', () => {
  it.each([
    ['refused where the gateway needs the id: operators would drop it', {}, 'SmsRefused', 0],
    ['sent where the gateway needs none', { http: { body: WITHOUT_ID } }, 'sent', 1],
    ['sent where nothing is registered', { sms: { dlt: undefined } }, 'sent', 1],
  ])('is %s', async (_, own, outcome, sent) => {
    const server = await new HttpGatewayServer(own).start();
    try {
      const sending = httpGateway.send(sms({ templateId: null }), settingsOf(server)).then(
        () => 'sent',
        ({ name }: Error) => name,
      );
      expect(await sending).toBe(outcome);
      expect(server.taken).toHaveLength(sent);
    } finally {
      await server.stop();
    }
  });
});

describe('Twilio’s Messages resource', () => {
  const server = new TwilioServer();
  const CODE = { text: 'कोड 482913', templateId: null, validForSeconds: 300 };

  beforeAll(() => server.start());
  afterAll(() => server.stop());

  function send(own: Partial<SmsToSend>, account: Partial<TwilioSettings>, by = twilioGateway) {
    const { twilio } = server.section as { twilio: TwilioSettings };
    const gateway = { ...twilio, ...account, kind: 'twilio' as const };
    return by.send(sms(own), { gateway, dlt: null, templateIds: {} });
  }

  it('is asked as documented: basic auth, the account’s path, a form, as long a validity as it can', async () => {
    expect(await send(CODE, {})).toEqual({ gatewayMessageId: `SM${'0'.repeat(32)}` });
    const from = `MG${'a'.repeat(32)}`;
    await send({}, { from });
    const [{ fields, headers }, { fields: byService }] = server.taken;
    expect(fields).toEqual({
      To: '+919812345670',
      From: '+14155550100',
      Body: 'कोड 482913',
      ValidityPeriod: '300',
    });
    expect(headers['user-agent']).toMatch(/^twilio-node\//);
    expect(byService).toMatchObject({ MessagingServiceSid: from, ValidityPeriod: '36000' });
    expect(byService).not.toHaveProperty('From');
  });

  it('refuses a wrong token, which is not a fault of the message', async () => {
    await expect(send({}, { authToken: 'wrong' })).rejects.toMatchObject({
      name: 'SmsUnavailable',
      reason: 'status 401, code 20003',
      mayHaveGone: false,
    });
  });

  it('is found at its own address when none is configured', async () => {
    const spying = { post: (url: string) => Promise.reject(new Error(url)) };
    const gateway = new TwilioSmsGateway(spying as unknown as OutboundClient);
    await expect(send({}, { apiBaseUrl: undefined }, gateway)).rejects.toThrow(
      /^https:\/\/api\.twilio\.com\/2010-04-01\/Accounts\/AC\w+\/Messages\.json$/,
    );
  });
});
