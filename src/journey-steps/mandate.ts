import { redirectStep } from './redirect-step.js';

/** The leave to collect the instalments from the applicant's account (eNACH). */
export const MANDATE = redirectStep({
  name: 'MANDATE',
  // Without it the lender collects the instalments in another way.
  need: 'OPTIONAL',
  state: 'MANDATE_PENDING',
  redirectAction: 'REDIRECT_TO_MANDATE',
  pollAction: 'POLL_MANDATE_STATUS',
  asks: 'whether the mandate to repay was set up',
  passed: 'MANDATE_PASSED',
  refused: 'MANDATE_REFUSED',
  event: { name: 'journey.enach_done', meaning: 'The eNACH mandate is authorized' },
  reason: 'MANDATE_FAILED',
  failureMilestones: [],
  maxTries: 3,
  page: 'mandate',
  shows: 'INSTALMENT',
  adviceKeys: ['entry.advice.bank', 'entry.advice.afresh'],
  texts: {
    en: {
      short: 'Automatic payment',
      title: 'Set up automatic payment (eNACH)',
      lead: 'You allow {lender} to collect each instalment from your bank account. This is called automatic payment, or a mandate (eNACH).',
      leave: 'You go to the page of the payment service that {lender} uses.',
      act: 'There you allow the collection with your net banking, debit card or Aadhaar.',
      back: 'It brings you back here by itself. Nothing is collected today.',
      why: 'With money in the account, each instalment is paid by itself on its day. Keep enough money in the account on the due dates.',
      button: 'Set up automatic payment',
      again: 'Set up automatic payment again',
      failed: 'Automatic payment could not be set up',
      checking: 'We are waiting for your bank to confirm the automatic payment.',
      rejectedTitle: 'Automatic payment could not be set up',
      rejectedReason:
        '{lender} needs automatic payment to collect the instalments. It could not be set up, so the loan cannot go on.',
      providerTitle: 'Allow the instalments to be collected',
      providerExplanation:
        'Your bank would ask you here to allow the lender to collect the monthly instalments from your account.',
      providerApprove: 'Allow the collection',
      providerDecline: 'Do not allow it',
    },
    hi: {
      short: 'ऑटोपे',
      title: 'ऑटोपे (eNACH) चालू करें',
      lead: 'आप {lender} को हर किस्त अपने बैंक खाते से लेने की अनुमति देते हैं। इसे ऑटोपे (eNACH) कहते हैं।',
      leave: 'आप उस सेवा के पेज पर जाएँगे जिससे {lender} ऑटोपे चालू कराता है।',
      act: 'वहाँ नेट बैंकिंग, डेबिट कार्ड या आधार से अनुमति देंगे।',
      back: 'उसके बाद आप अपने आप यहाँ वापस आ जाएँगे। आज कोई पैसा नहीं कटेगा।',
      why: 'खाते में किस्त जितना पैसा हो, तो हर किस्त अपनी तारीख़ पर अपने आप चुक जाती है। किस्त की तारीख़ पर खाते में उतना पैसा ज़रूर रखें।',
      button: 'ऑटोपे चालू करें',
      again: 'ऑटोपे फिर से चालू करें',
      failed: 'ऑटोपे चालू नहीं हो सका',
      checking: 'आपके बैंक से ऑटोपे की पुष्टि का इंतज़ार है।',
      rejectedTitle: 'ऑटोपे चालू नहीं हो सका',
      rejectedReason:
        '{lender} को किस्तें लेने के लिए ऑटोपे चाहिए। वह चालू नहीं हो सका, इसलिए लोन आगे नहीं बढ़ सकता।',
      providerTitle: 'किस्तें खाते से लेने की अनुमति दें',
      providerExplanation:
        'असली पेज पर आपका बैंक पूछता है कि क्या ऋणदाता हर महीने की किस्त आपके खाते से ले सकता है।',
      providerApprove: 'अनुमति दें',
      providerDecline: 'अनुमति न दें',
    },
  },
});
