import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SmsToSend, TwilioSmsGateway } from '../../../src/messaging/index.js';
import { type Environment, OutboundClient } from '../../../src/platform/index.js';
import { TwilioServer } from '../../support/sms-gateways.js';
import type { SmsSettings, TwilioSettings } from '../../../src/settings/index.js';

const SMS: SmsToSend = {
  id: 'sms_1',
  partnerId: 'demo',
  subjectId: 'jrn_1',
  kind: 'ONE_TIME_CODE',
  language: 'en',
  mobile: '9812345670',
  pan: 'ABCDE1234F',
  text: 'कोड 482913',
  values: { code: '482913' },
  templateId: null,
  validForSeconds: 300,
};

const outbound = new OutboundClient({ isLoopback: true } as Environment);
const gateway = new TwilioSmsGateway(outbound);
let server: TwilioServer;

beforeAll(async () => {
  server = await new TwilioServer().start();
});
beforeEach(() => server.reset());
afterAll(async () => {
  await server.stop();
  await outbound.close();
});

function send(own: Partial<SmsToSend> = {}, account: Partial<TwilioSettings> = {}) {
  const { twilio } = server.section as { twilio: TwilioSettings };
  const settings: SmsSettings = {
    gateway: { ...twilio, ...account, kind: 'twilio' },
    dlt: null,
    templateIds: {},
  };
  return gateway.send({ ...SMS, ...own }, settings);
}

describe('Twilio’s Messages resource', () => {
  it('is asked as documented: basic auth, the account’s path, a form, as long a validity as it can', async () => {
    expect(await send()).toEqual({ gatewayMessageId: `SM${'0'.repeat(32)}` });
    const from = `MG${'a'.repeat(32)}`;
    await send({ validForSeconds: 259_200 }, { from });
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
    const asked: string[] = [];
    const spying = { post: (url: string) => Promise.reject(new Error(String(asked.push(url)))) };
    const own = new TwilioSmsGateway(spying as unknown as OutboundClient);
    const { twilio } = server.section as { twilio: TwilioSettings };
    const { apiBaseUrl: _, ...account } = twilio;
    const settings = {
      gateway: { ...account, kind: 'twilio' as const },
      dlt: null,
      templateIds: {},
    };
    await expect(own.send(SMS, settings)).rejects.toThrow('1');
    expect(asked).toEqual([
      `https://api.twilio.com/2010-04-01/Accounts/${account.accountSid}/Messages.json`,
    ]);
  });
});
