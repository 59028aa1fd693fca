import type { Language } from '../platform/index.js';
import type { Wording } from './wording.js';

const ENGLISH: Wording = {
  parts: [
    {
      heading: 'Who gets them',
      gist: '{lenderList}',
      points: ['{lenderName}'],
      note: 'Only the lender you choose gets your bank account.',
    },
    {
      heading: 'What they get',
      gist: 'Name, contact, PAN, date of birth, work, income',
      points: [],
      note: 'As far as we know it: the loan you ask for and what it is for; your name, mobile number, PAN, date of birth, gender, address and e-mail; your work and income; for a gold loan, your gold.',
    },
    {
      heading: 'Your credit report',
      gist: 'Lenders look at it. That can lower your score.',
      points: [
        { only: 'HOSTED', text: '{enquiries}' },
        {
          only: 'PARTNER',
          text: 'Lenders look at your credit report at the credit bureaus (TransUnion CIBIL, Experian, Equifax, CRIF High Mark), each in its own way. That can lower your score.',
        },
      ],
      note: 'A soft enquiry doesn’t lower your score. A hard one can.',
    },
    {
      heading: 'For how long',
      gist: '{keptGist}',
      points: [
        'We use your details for this application only, and write to you about it by SMS and e-mail.',
        { only: 'HOSTED', text: '{kept}' },
        { only: 'PARTNER', text: 'They are kept as long as the law requires.' },
      ],
      note: 'Ask us, and we delete what the law does not require and ask the lenders to do so too. That you agreed stays on record, without your name.',
    },
    {
      heading: 'Changing your mind',
      gist: 'Stop any time until you sign',
      points: [
        {
          only: 'HOSTED',
          text: 'Before we ask the lenders: close the page. Later, until you sign: press “Stop applying” at the end of any page. It is free; only a branch that has valued your gold may charge.',
        },
        'Contact us: {supportPhone}, {supportEmail}',
        'Our grievance officer: {officerName}, {officerPhone}, {officerEmail}',
      ],
      note: 'Your application then ends; what you have signed stays valid.',
    },
  ],
  enquiries: {
    known: '{lenderNames}: {bureaus}. {forOffer} for the offer, {afterChoice} after you choose it.',
    same: '{lenderNames}: {bureaus}. {forOffer}, before and after.',
    unknown: '{lenderNames}: we don’t know which bureau is asked, or how.',
    kinds: { NONE: 'no enquiry', SOFT: 'soft enquiry', HARD: 'hard enquiry' },
  },
  kept: {
    one: 'They are kept as long as the law requires: at most {years} year after your application or loan ends.',
    other:
      'They are kept as long as the law requires: at most {years} years after your application or loan ends.',
    unknown: 'They are kept as long as the law requires.',
  },
  keptGist: {
    one: 'Only for this loan; kept {years} year at most',
    other: 'Only for this loan; kept {years} years at most',
    unknown: 'Only for this loan, as long as the law requires',
  },
  agreement: 'I have read this and I agree.',
  calls: '{brandName} and my lender may phone me about this loan.',
  callsNote: 'Optional: offers stay the same; take it back any time.',
};

const HINDI: Wording = {
  parts: [
    {
      heading: 'जानकारी किसे मिलेगी',
      gist: '{lenderList}',
      points: ['{lenderName}'],
      note: 'बैंक खाता केवल उसी ऋणदाता को मिलेगा जिसे आप चुनेंगे।',
    },
    {
      heading: 'कौन-सी जानकारी',
      gist: 'नाम, संपर्क, पैन, जन्मतिथि, काम, कमाई',
      points: [],
      note: 'जितना हमें पता है: आपको कौन-सा लोन और किस काम के लिए चाहिए; नाम, मोबाइल नंबर, पैन, जन्मतिथि, लिंग, पता, ई-मेल; काम और कमाई; सोने पर लोन हो, तो आपका सोना।',
    },
    {
      heading: 'आपकी क्रेडिट रिपोर्ट',
      gist: 'ऋणदाता इसे देखेंगे। इससे स्कोर घट सकता है।',
      points: [
        { only: 'HOSTED', text: '{enquiries}' },
        {
          only: 'PARTNER',
          text: 'ऋणदाता क्रेडिट ब्यूरो (TransUnion CIBIL, Experian, Equifax, CRIF High Mark) से आपकी क्रेडिट रिपोर्ट देखेंगे, हर एक अपने तरीके से। इससे स्कोर घट सकता है।',
        },
      ],
      note: 'सॉफ़्ट पूछताछ से स्कोर नहीं घटता। हार्ड पूछताछ से घट सकता है।',
    },
    {
      heading: 'कितने समय तक',
      gist: '{keptGist}',
      points: [
        'जानकारी सिर्फ़ इसी आवेदन के लिए इस्तेमाल होती है; इसके बारे में SMS और ई-मेल आते हैं।',
        { only: 'HOSTED', text: '{kept}' },
        { only: 'PARTNER', text: 'क़ानून जितने समय कहता है, उतने समय रखी जाती है।' },
      ],
      note: 'आप कहें, तो जो क़ानून के लिए ज़रूरी नहीं वह हम मिटा देते हैं और ऋणदाताओं से भी यही कहते हैं। आप सहमत हुए थे, यह बात नाम के बिना दर्ज रहती है।',
    },
    {
      heading: 'मन बदल जाए तो',
      gist: 'हस्ताक्षर करने तक कभी भी रद्द करें',
      points: [
        {
          only: 'HOSTED',
          text: 'ऋणदाताओं से पूछने से पहले: पेज बंद कर दें। बाद में, हस्ताक्षर करने तक: किसी भी पेज के आख़िर में “आवेदन रद्द करें” दबाएँ। यह मुफ़्त है; सिर्फ़ वह शाखा कुछ ले सकती है जिसने सोने की क़ीमत आँक ली हो।',
        },
        'हमसे कहें: {supportPhone}, {supportEmail}',
        'शिकायत निवारण अधिकारी: {officerName}, {officerPhone}, {officerEmail}',
      ],
      note: 'तब आवेदन ख़त्म हो जाता है; जिस पर हस्ताक्षर हो चुके हैं वह मान्य रहता है।',
    },
  ],
  enquiries: {
    known: '{lenderNames}: {bureaus}। ऑफ़र के लिए {forOffer}, चुनने के बाद {afterChoice}।',
    same: '{lenderNames}: {bureaus}। पहले भी और बाद में भी {forOffer}।',
    unknown: '{lenderNames}: हमें पता नहीं कि किस ब्यूरो से और कैसे पूछा जाता है।',
    kinds: { NONE: 'कोई पूछताछ नहीं', SOFT: 'सॉफ़्ट पूछताछ', HARD: 'हार्ड पूछताछ' },
  },
  kept: {
    one: 'क़ानून जितने समय कहता है, उतने समय रखी जाती है: आवेदन या लोन ख़त्म होने के बाद ज़्यादा से ज़्यादा {years} साल।',
    other:
      'क़ानून जितने समय कहता है, उतने समय रखी जाती है: आवेदन या लोन ख़त्म होने के बाद ज़्यादा से ज़्यादा {years} साल।',
    unknown: 'क़ानून जितने समय कहता है, उतने समय रखी जाती है।',
  },
  keptGist: {
    one: 'सिर्फ़ इस लोन के लिए; ज़्यादा से ज़्यादा {years} साल रखी जाएगी',
    other: 'सिर्फ़ इस लोन के लिए; ज़्यादा से ज़्यादा {years} साल रखी जाएगी',
    unknown: 'सिर्फ़ इस लोन के लिए, जितने समय क़ानून कहता है',
  },
  agreement: 'मैंने यह पढ़ लिया है और मैं सहमत हूँ।',
  calls: '{brandName} और मेरा ऋणदाता इस लोन के बारे में मुझे फ़ोन कर सकते हैं।',
  callsNote: 'ज़रूरी नहीं: ऑफ़र वही रहेंगे; कभी भी वापस लें।',
};

export const WORDING_7: Readonly<Record<Language, Wording>> = { en: ENGLISH, hi: HINDI };
