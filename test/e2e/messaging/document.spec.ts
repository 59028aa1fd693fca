import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfigurationFile } from '../../../src/admin/configuration-file.js';
import { SMS_TEXTS } from '../../../src/messaging/sms-texts.js';
import { LANGUAGES } from '../../../src/platform/index.js';
import { SANDBOX_DEPLOYMENT } from '../../support/deployments.js';
import { configurationWith } from '../../support/configuration-with.js';
import { SMS_KINDS, SMS_PLACEHOLDERS } from '../../../src/settings/index.js';

const DOCUMENT = readFileSync(
  fileURLToPath(new URL('../../../docs/operators/sms.md', import.meta.url)),
  'utf8',
);

const TAGS: Record<string, string> = {
  brand: '{brand}',
  link: '{#url#}',
  code: '{#numeric#}',
  amount: '{#numeric#}',
  minutes: '{#numeric#}',
};

const SECRETS = {
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'token',
  SMS_GATEWAY_TOKEN: 'token',
  SMS_GATEWAY_KEY: 'key',
};

const examples = [...DOCUMENT.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text);
const texts = SMS_KINDS.flatMap((kind) => LANGUAGES.map((language) => ({ kind, language })));

describe('docs/operators/sms.md', () => {
  it.each(texts)('has $kind in $language as it is to be registered', ({ kind, language }) => {
    const registered = SMS_TEXTS[kind][language].replaceAll(/\{(\w+)\}/g, (_, name) => TAGS[name]);
    const id = language === 'en' ? kind : `${kind}_HI`;
    const rows = DOCUMENT.split('\n').map((line) => line.replaceAll(/\s+/g, ' '));
    expect(rows).toContain(`| \`${id}\` | ${registered} |`);
  });

  it('names every placeholder', () => {
    for (const name of SMS_PLACEHOLDERS) expect(DOCUMENT).toContain(`{{${name}}}`);
  });

  it.each(examples.map((text, index) => [index + 1, text] as const))(
    'shows a configuration that may be applied: example %i',
    (_, text) => {
      const configuration = configurationWith(parse(text) as Record<string, unknown>);
      try {
        const { sms } = readConfigurationFile(configuration.file, SANDBOX_DEPLOYMENT, SECRETS);
        expect(sms.gateway.kind).toBe((parse(text) as { sms: { gateway: string } }).sms.gateway);
      } finally {
        configuration.remove();
      }
    },
  );
});
