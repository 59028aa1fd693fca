import type { Language } from '../platform/index.js';
import { filledValues, type SmsContent, smsText, type Surroundings } from './sms-texts.js';
import type { SmsKind, SmsSettings, SmsTemplateKey } from '../settings/index.js';

type Registration = Pick<SmsSettings, 'dlt' | 'templateIds'>;

interface Wording {
  readonly text: string;
  readonly language: Language;
  readonly values: Readonly<Record<string, string>>;
  readonly templateId: string | null;
}

/** Under DLT, unregistered texts are dropped: a Hindi text without its own id is sent in English. */
export function wordingOf(
  content: SmsContent,
  { dlt, templateIds }: SmsSettings,
  around: Surroundings,
): Wording {
  const { kind } = content;
  const language = languageOf(kind, content.language, { dlt, templateIds });
  return {
    text: smsText({ ...content, language }, around),
    language,
    values: filledValues(content, around),
    templateId: templateIds[templateKey(kind, language)] ?? null,
  };
}

export function isWordedIn(kind: SmsKind, language: Language, settings: Registration): boolean {
  return languageOf(kind, language, settings) === language;
}

function languageOf(
  kind: SmsKind,
  language: Language,
  { dlt, templateIds }: Registration,
): Language {
  const isRegistered = templateIds[templateKey(kind, language)] !== undefined;
  return dlt === null || isRegistered ? language : 'en';
}

function templateKey(kind: SmsKind, language: Language): SmsTemplateKey {
  return language === 'en' ? kind : `${kind}_HI`;
}
