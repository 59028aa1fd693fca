import type { Language } from '../platform/index.js';
import type { WordingInParts } from './wording.js';

const ENGLISH: WordingInParts = {
  parts: [
    {
      heading: 'These lenders get your details',
      points: ['{lenderName}'],
      note: 'So that they can make you offers, {brandName} tells each of them, as far as we know it: which loan you ask for and what for; your name, mobile number, PAN, date of birth, gender, address and e-mail; your work and income; for a gold loan, your gold. Only a lender that you choose gets your bank account.',
    },
    {
      heading: 'They look at your credit report',
      points: [
        { only: 'HOSTED', text: '{enquiries}' },
        {
          only: 'PARTNER',
          text: 'It comes from the credit bureaus (TransUnion CIBIL, Experian, Equifax, CRIF High Mark). Lenders ask each in its own way, so asking can lower your score.',
        },
      ],
      note: 'A soft enquiry does not lower your credit score. A hard enquiry can lower it.',
    },
    {
      heading: 'What for, and how long',
      points: [],
      note: 'Your details are used for this application only; you get SMS and e-mail about it, too. They are kept for as long as the law requires. When you ask us, we delete what the law does not require, and ask the lenders to do the same. That you have agreed stays on record, without your name.',
    },
    {
      heading: 'How to take it back',
      points: [
        {
          only: 'HOSTED',
          text: 'Before we ask the lenders: close the page. After that, until you sign: press “Stop this application”, which is on every page. It costs nothing.',
        },
        'By phone or e-mail: {supportPhone}, {supportEmail}',
        'Our grievance officer: {officerName}, {officerPhone}, {officerEmail}',
      ],
      note: 'Your application then ends. What you have already signed stays valid.',
    },
  ],
  enquiries: {
    known:
      '{lenderNames}: {bureaus}. For the offer: {forOffer}. After you choose it: {afterChoice}.',
    unknown:
      '{lenderNames}: we do not know which bureaus are asked, and how. Asking can lower your score.',
    kinds: { NONE: 'no enquiry', SOFT: 'soft enquiry', HARD: 'hard enquiry' },
  },
  agreement: 'I have read this, and I agree.',
  calls:
    'I may also be phoned about this loan, by {brandName} and by the lender that I choose. I can leave this box empty: my offers are the same.',
};

const HINDI: WordingInParts = {
  parts: [
    {
      heading: 'आपकी जानकारी इन ऋणदाताओं को मिलेगी',
      points: ['{lenderName}'],
      note: 'वे ऑफ़र दे सकें, इसलिए {brandName} इनमें से हर एक को यह बताता है, जितना हमें पता है: आपको कौन-सा लोन और किस काम के लिए चाहिए; आपका नाम, मोबाइल नंबर, पैन, जन्मतिथि, लिंग, पता और ई-मेल; आपका काम और कमाई; सोने पर लोन के लिए आपका सोना। बैंक खाता सिर्फ़ उसी ऋणदाता को बताया जाता है जिसे आप चुनते हैं।',
    },
    {
      heading: 'वे आपकी क्रेडिट रिपोर्ट देखेंगे',
      points: [
        { only: 'HOSTED', text: '{enquiries}' },
        {
          only: 'PARTNER',
          text: 'यह रिपोर्ट क्रेडिट ब्यूरो (TransUnion CIBIL, Experian, Equifax, CRIF High Mark) से मिलती है। हर ऋणदाता अपने तरीके से पूछता है, इसलिए इससे आपका स्कोर घट सकता है।',
        },
      ],
      note: 'सॉफ़्ट पूछताछ से आपका क्रेडिट स्कोर नहीं घटता। हार्ड पूछताछ से घट सकता है।',
    },
    {
      heading: 'किसलिए, और कब तक',
      points: [],
      note: 'आपकी जानकारी सिर्फ़ इसी आवेदन के लिए इस्तेमाल होती है; इसके बारे में आपको SMS और ई-मेल भी मिलते हैं। यह उतने ही समय तक रखी जाती है जितना क़ानून कहता है। आपके कहने पर हम वह सब मिटा देते हैं जो क़ानून के लिए ज़रूरी नहीं, और ऋणदाताओं से भी यही कहते हैं। आप सहमत हुए थे, यह बात आपके नाम के बिना दर्ज रहती है।',
    },
    {
      heading: 'सहमति वापस कैसे लें',
      points: [
        {
          only: 'HOSTED',
          text: 'ऋणदाताओं से पूछने से पहले: पेज बंद कर दें। उसके बाद, हस्ताक्षर करने तक: “यह आवेदन रोकें” दबाएँ, जो हर पेज पर है। इसका कोई पैसा नहीं लगता।',
        },
        'फ़ोन या ई-मेल से: {supportPhone}, {supportEmail}',
        'हमारे शिकायत निवारण अधिकारी: {officerName}, {officerPhone}, {officerEmail}',
      ],
      note: 'तब आपका आवेदन ख़त्म हो जाता है। जिस पर आपके हस्ताक्षर हो चुके हैं वह मान्य रहता है।',
    },
  ],
  enquiries: {
    known: '{lenderNames}: {bureaus}। ऑफ़र के लिए: {forOffer}। चुनने के बाद: {afterChoice}।',
    unknown:
      '{lenderNames}: हमें पता नहीं कि किन ब्यूरो से और किस तरह पूछा जाता है। पूछने से आपका स्कोर घट सकता है।',
    kinds: { NONE: 'कोई पूछताछ नहीं', SOFT: 'सॉफ़्ट पूछताछ', HARD: 'हार्ड पूछताछ' },
  },
  agreement: 'मैंने यह पढ़ लिया है, और मैं सहमत हूँ।',
  calls:
    '{brandName} और मेरा चुना हुआ ऋणदाता इस लोन के बारे में मुझे फ़ोन भी कर सकते हैं। यह बॉक्स ख़ाली भी छोड़ सकते हैं: ऑफ़र वही मिलेंगे।',
};

/** Version 4: in parts, with calls as a consent of their own. */
export const WORDING_4: Readonly<Record<Language, WordingInParts>> = { en: ENGLISH, hi: HINDI };
