import type { Language } from '../platform/index.js';
import type { SmsKind, SmsSettings, SmsTemplateKey } from '../settings/index.js';

/**
 * Operators deliver only texts that are registered on their DLT platform, with link addresses (docs/operators/sms.md).
 * A change needs a new registration. English texts use only GSM 03.38 (160 characters a part; otherwise 70).
 */
export const SMS_TEXTS: Readonly<Record<SmsKind, Readonly<Record<Language, string>>>> = {
  HOSTED_LINK: {
    en: '{brand}: continue your loan application here and do not forward the link: {link}',
    hi: '{brand}: अपना लोन आवेदन यहाँ जारी रखें और यह लिंक किसी को न भेजें: {link}',
  },
  ONE_TIME_CODE: {
    en: '{code} is your {brand} code, valid for {minutes} min; never share it, not even with us.',
    hi: '{code} आपका {brand} OTP है, {minutes} मिनट तक मान्य; इसे किसी को न बताएँ, हमें भी नहीं।',
  },
  APPLICATION_LINK: {
    en: '{brand}: see your loan offers and how your application stands; we never ask for money by phone: {link}',
    hi: '{brand}: अपने लोन के ऑफ़र और आवेदन की स्थिति देखें; हम फ़ोन पर कभी पैसे नहीं माँगते: {link}',
  },
  REFUND_MADE: {
    en: '{brand}: Rs {amount} that you paid for your loan application has been sent back to you, and your bank shows it within 7 working days.',
    hi: '{brand}: आपके लोन आवेदन के ₹{amount} लौटा दिए गए हैं, और आपके बैंक में 7 कामकाजी दिनों में दिखेंगे।',
  },
  OFFERS_READY: {
    en: '{brand}: your loan offers are here; do not forward this link: {link}',
    hi: '{brand}: आपके लोन के ऑफ़र आ गए हैं; यह लिंक किसी को न भेजें: {link}',
  },
  KYC_FAILED: {
    en: '{brand}: your identity could not be confirmed; see what you can do, and tell nobody your Aadhaar OTP: {link}',
    hi: '{brand}: आपकी पहचान की जाँच (KYC) पूरी नहीं हुई; आगे क्या करें, यहाँ देखें और आधार OTP किसी को न बताएँ: {link}',
  },
  MONEY_PAID: {
    en: '{brand}: the lender has paid out your loan to your bank account; see its dates and papers: {link}',
    hi: '{brand}: आपके लोन की रकम आपके बैंक खाते में भेज दी गई है; तारीख़ें और काग़ज़ देखें: {link}',
  },
  COOLING_OFF_ENDING: {
    en: '{brand}: tomorrow is the last day to leave your loan without a penalty; see how: {link}',
    hi: '{brand}: अपना लोन बिना जुर्माने के छोड़ने का कल आख़िरी दिन है; कैसे छोड़ें, यहाँ देखें: {link}',
  },
};

interface Surroundings {
  readonly brandName: string;
  /** Of a code. */
  readonly validForSeconds: number;
}

interface SmsContent {
  readonly kind: SmsKind;
  readonly language: Language;
  readonly values: Readonly<Record<string, string>>;
}

const PLACEHOLDER = /\{(\w+)\}/g;
const ADDED = ['brand', 'minutes'];
// Rounds up, so that five minutes do not become four a moment later.
const ROUNDING_SECONDS = 15;

export function placeholdersOf(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name]) => name);
}

/** @throws Error when a value is missing or empty */
export function requireValues({ kind, values }: SmsContent): void {
  const needed = Object.values(SMS_TEXTS[kind]).flatMap(placeholdersOf);
  const missing = needed.filter((name) => !ADDED.includes(name) && !values[name]);
  if (missing.length > 0) throw new Error(`${kind} lacks ${missing.join(', ')}`);
}

function filledValues(
  { values }: Pick<SmsContent, 'values'>,
  { brandName, validForSeconds }: Surroundings,
): Readonly<Record<string, string>> {
  const minutes = Math.floor((validForSeconds + ROUNDING_SECONDS) / 60);
  return {
    ...values,
    ...(values.amount !== undefined && { amount: digitsOf(values.amount) }),
    brand: brandName,
    minutes: String(Math.max(1, minutes)),
  };
}

export function smsText(content: SmsContent, around: Surroundings): string {
  const filled = filledValues(content, around);
  return SMS_TEXTS[content.kind][content.language].replace(
    PLACEHOLDER,
    (_, name: string) => filled[name] ?? '',
  );
}

/** Without the ₹ sign, which the text contains. */
function digitsOf(amount: string): string {
  return /\d+(\.\d+)?/.exec(amount.replaceAll(',', ''))?.[0] ?? '';
}

type Registration = Pick<SmsSettings, 'dlt' | 'templateIds'>;

/** Operators drop texts without a DLT id, so Hindi without one is sent in English. */
export function wordingOf(
  content: SmsContent,
  { dlt, templateIds }: SmsSettings,
  around: Surroundings,
) {
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
