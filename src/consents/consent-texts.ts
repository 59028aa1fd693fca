import type { Language } from '../platform/index.js';

/** What is filled into a consent's text. */
export interface ConsentValues {
  readonly brandName: string;
  /** The lenders that will be asked, by their legal names. */
  readonly lenderNames: readonly string[];
  readonly supportEmail: string;
  readonly supportPhone: string;
}

/** A consent as it is shown: point by point, and the sentence beside the box. */
export interface ConsentText {
  readonly version: string;
  readonly language: Language;
  readonly points: readonly string[];
  readonly agreement: string;
}

interface Wording {
  readonly points: readonly string[];
  readonly agreement: string;
}

/** Of every version: they differ in the Hindi words for a lender and for a signature. */
const ENGLISH: Wording = {
  points: [
    'I ask {brandName} to share the details of this application with these lenders, so that they can make me loan offers: {lenderNames}.',
    'I allow these lenders, and {brandName} on their behalf, to get my credit report from the credit information companies (TransUnion CIBIL, Experian, Equifax and CRIF High Mark) to decide on this application.',
    'I allow {brandName} and the lender that I choose to contact me about this loan by SMS, by phone and by e-mail.',
    'My details are used for this application only, and are kept for as long as the law requires.',
    'I can take this consent back at any time by writing to {supportEmail} or by calling {supportPhone}. My application then ends; what I have already signed stays valid.',
  ],
  agreement: 'I have read this, and I agree.',
};

const HINDI_OF_2: Wording = {
  points: [
    'मेरा {brandName} से अनुरोध है कि इस आवेदन की जानकारी इन ऋणदाताओं (लोन देने वाली कंपनियों) को दी जाए, ताकि वे मुझे लोन के ऑफ़र दे सकें: {lenderNames}।',
    'मेरी अनुमति है कि इस आवेदन पर फ़ैसला करने के लिए ये ऋणदाता, और उनकी ओर से {brandName}, क्रेडिट जानकारी कंपनियों (TransUnion CIBIL, Experian, Equifax और CRIF High Mark) से मेरी क्रेडिट रिपोर्ट लें।',
    'मेरी अनुमति है कि {brandName} और मेरा चुना हुआ ऋणदाता इस लोन के बारे में मुझसे SMS, फ़ोन और ई-मेल से संपर्क करें।',
    'मेरी जानकारी सिर्फ़ इसी आवेदन के लिए इस्तेमाल होगी, और उतने ही समय तक रखी जाएगी जितना क़ानून कहता है।',
    'यह सहमति {supportEmail} पर लिखकर या {supportPhone} पर फ़ोन करके कभी भी वापस ली जा सकती है। तब मेरा आवेदन ख़त्म हो जाएगा; जिस पर मेरे साइन हो चुके हैं वह मान्य रहेगा।',
  ],
  agreement: 'मैंने यह पढ़ लिया है, और मैं सहमत हूँ।',
};

const HINDI_OF_3: Wording = {
  ...HINDI_OF_2,
  points: [
    ...HINDI_OF_2.points.slice(0, -1),
    'यह सहमति {supportEmail} पर लिखकर या {supportPhone} पर फ़ोन करके कभी भी वापस ली जा सकती है। तब मेरा आवेदन ख़त्म हो जाएगा; जिस पर मेरे हस्ताक्षर हो चुके हैं वह मान्य रहेगा।',
  ],
};

/**
 * Every consent that was ever asked for, by its version. A text that somebody may have agreed to is
 * never changed: a new wording is a new version (a test holds the digests).
 */
export const CONSENT_TEXTS: Readonly<Record<string, Readonly<Record<Language, Wording>>>> = {
  '1': {
    en: ENGLISH,
    hi: {
      points: [
        'मेरा {brandName} से अनुरोध है कि इस आवेदन की जानकारी इन लेंडरों (लोन देने वाली कंपनियों) को दी जाए, ताकि वे मुझे लोन के ऑफ़र दे सकें: {lenderNames}।',
        'मेरी अनुमति है कि इस आवेदन पर फ़ैसला करने के लिए ये लेंडर, और उनकी ओर से {brandName}, क्रेडिट जानकारी कंपनियों (TransUnion CIBIL, Experian, Equifax और CRIF High Mark) से मेरी क्रेडिट रिपोर्ट लें।',
        'मेरी अनुमति है कि {brandName} और मेरा चुना हुआ लेंडर इस लोन के बारे में मुझसे SMS, फ़ोन और ई-मेल से संपर्क करें।',
        'मेरी जानकारी सिर्फ़ इसी आवेदन के लिए इस्तेमाल होगी, और उतने ही समय तक रखी जाएगी जितना क़ानून कहता है।',
        'यह सहमति {supportEmail} पर लिखकर या {supportPhone} पर फ़ोन करके कभी भी वापस ली जा सकती है। तब मेरा आवेदन ख़त्म हो जाएगा; जिस पर मेरे साइन हो चुके हैं वह मान्य रहेगा।',
      ],
      agreement: 'मैंने यह पढ़ लिया है, और मैं सहमत हूँ।',
    },
  },
  '2': { en: ENGLISH, hi: HINDI_OF_2 },
  '3': { en: ENGLISH, hi: HINDI_OF_3 },
};

/** The version that is asked for today. */
export const CONSENT_VERSION = '3';

const PLACEHOLDER = /\{(\w+)\}/g;
const BETWEEN_NAMES = '; ';

/** A consent, filled in: of the version that is asked for today unless another is named. */
export function consentText(
  language: Language,
  values: ConsentValues,
  version = CONSENT_VERSION,
): ConsentText {
  const filled: Record<string, string> = {
    brandName: values.brandName,
    lenderNames: values.lenderNames.join(BETWEEN_NAMES),
    supportEmail: values.supportEmail,
    supportPhone: values.supportPhone,
  };
  const { points, agreement } = CONSENT_TEXTS[version][language];
  const fill = (text: string) =>
    text.replaceAll(PLACEHOLDER, (whole, name: string) => filled[name] ?? whole);
  return {
    version,
    language,
    points: points.map(fill),
    agreement: fill(agreement),
  };
}

/** Exactly what was agreed to, as one text. */
export function plainConsent({ points, agreement }: ConsentText): string {
  return [...points, agreement].join('\n');
}

/** Whether a text that was agreed to names the lender: its whole name, and no part of another's. */
export function namesLender(agreedTo: string, lenderName: string): boolean {
  return [': ', BETWEEN_NAMES].some((before) =>
    [BETWEEN_NAMES, '.', '।'].some((after) => agreedTo.includes(before + lenderName + after)),
  );
}
