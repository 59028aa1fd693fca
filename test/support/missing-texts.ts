import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONSENT_TEXTS, CONSENT_VERSION } from '../../src/consents/consent-texts.js';
// Registers the texts of the steps.
import '../../src/journey-steps/index.js';
import { METRIC_TEXTS } from '../../src/matching/metric-texts.js';
import { SMS_TEXTS } from '../../src/messaging/sms-texts.js';
import { catalogueOf, isLanguage, projectPath } from '../../src/platform/index.js';

const FOLDER = projectPath('views/language');

const TEXTS_OF_CODE: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ...Object.entries(SMS_TEXTS).map(([kind, texts]) => [`SMS ${kind}`, texts] as const),
  [`consent, version ${CONSENT_VERSION}`, CONSENT_TEXTS[CONSENT_VERSION]],
  ...Object.entries(METRIC_TEXTS).map(([metric, texts]) => [`metric ${metric}`, texts] as const),
];

/** The names of all texts that a language lacks, of screens, steps, statements, SMS, consent and metrics. */
export function missingTexts(language: string): string[] {
  const known = keysOf(language);
  return [
    ...[...catalogueOf('en').keys()].filter((key) => !known.has(key)),
    ...TEXTS_OF_CODE.filter(([, texts]) => !texts[language]).map(([name]) => name),
  ];
}

function keysOf(language: string): ReadonlySet<string> {
  if (isLanguage(language)) return new Set(catalogueOf(language).keys());
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(`.${language}.json`));
  return new Set(
    files.flatMap((file) =>
      Object.keys(JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as object),
    ),
  );
}
