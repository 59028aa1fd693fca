import { redirectStep } from './redirect-step.js';

/** The signature under the loan agreement. */
export const ESIGN = redirectStep({
  name: 'ESIGN',
  need: 'EVERY_LOAN',
  state: 'ESIGN_PENDING',
  redirectAction: 'REDIRECT_TO_ESIGN',
  pollAction: 'POLL_ESIGN_STATUS',
  passed: 'ESIGN_PASSED',
  refused: 'ESIGN_REFUSED',
  event: { name: 'journey.esign_done', meaning: 'The loan agreement is signed' },
  reason: 'ESIGN_DECLINED',
  maxTries: 3,
  page: 'esign',
  shows: 'AGREEMENT',
  adviceKeys: ['steps.rejected.advice.afresh'],
  texts: {
    en: {
      title: 'Sign the loan agreement',
      lead: 'You sign the agreement with {lender} online. With your signature the loan is agreed.',
      leave: 'You go to the page of the signing service that {lender} uses.',
      act: 'There you read the agreement and sign it with a one-time code.',
      back: 'It brings you back here by itself. Then {lender} pays out the money.',
      why: 'Sign only if the terms above are the ones that you want. The agreement cites the Key Facts Statement with its fingerprint.',
      button: 'Go and sign',
      again: 'Go and sign again',
      failed: 'The agreement was not signed',
      checking: 'We are waiting for the result of your signature.',
      rejectedTitle: 'The agreement was not signed',
      rejectedReason:
        'Without a signature there is no loan. If you decided against it, that is fine: nothing is held against you.',
      providerTitle: 'Sign the loan agreement',
      providerExplanation:
        'You would read the whole agreement here and sign it with a one-time code.',
      providerApprove: 'Sign the agreement',
      providerDecline: 'Do not sign',
    },
    hi: {
      title: 'लोन समझौते पर हस्ताक्षर करें',
      lead: 'आप {lender} के साथ समझौते पर ऑनलाइन हस्ताक्षर करते हैं। आपके हस्ताक्षर से लोन तय हो जाता है।',
      leave: 'आप {lender} की हस्ताक्षर सेवा के पेज पर जाएँगे।',
      act: 'वहाँ समझौता पढ़कर वन-टाइम कोड से हस्ताक्षर करेंगे।',
      back: 'उसके बाद आप अपने आप यहाँ वापस आ जाएँगे। फिर {lender} पैसा भेजेगा।',
      why: 'हस्ताक्षर तभी करें जब ऊपर की शर्तें आपको मंज़ूर हों। समझौते में मुख्य तथ्य विवरण का फ़िंगरप्रिंट लिखा होता है।',
      button: 'हस्ताक्षर करने जाएँ',
      again: 'हस्ताक्षर करने फिर जाएँ',
      failed: 'समझौते पर हस्ताक्षर नहीं हुए',
      checking: 'आपके हस्ताक्षर के नतीजे का इंतज़ार है।',
      rejectedTitle: 'समझौते पर हस्ताक्षर नहीं हुए',
      rejectedReason:
        'हस्ताक्षर के बिना लोन नहीं होता। अगर आपने लोन न लेने का फ़ैसला किया है, तो कोई बात नहीं: इसका आप पर कोई असर नहीं पड़ेगा।',
      providerTitle: 'लोन के समझौते पर हस्ताक्षर करें',
      providerExplanation: 'आप यहाँ पूरा समझौता पढ़ते और एक बार के कोड (OTP) से उस पर हस्ताक्षर करते।',
      providerApprove: 'समझौते पर हस्ताक्षर करें',
      providerDecline: 'हस्ताक्षर न करें',
    },
  },
});
