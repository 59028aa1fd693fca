import type { Language } from '../platform/index.js';

/** How a metric works, in the words of its public page. */
interface MetricText {
  readonly name: string;
  readonly points: readonly string[];
}

/**
 * Every metric that was ever in force, by its version, the newest first. What was shown refers to its
 * version, so a text is never changed: another wording is another version (a test holds the digests).
 */
export const METRIC_TEXTS: Readonly<Record<string, Readonly<Record<Language, MetricText>>>> = {
  'APR_ASC/1': {
    en: {
      name: 'Lowest APR first',
      points: [
        'We ask every lender that offers the kind of loan that you asked for, and that you have consented to. All of them are asked at the same time and are told the same. For an instant loan we ask nobody: what each of these lenders lends on we compute from the terms that it has given us.',
        'Before we show an offer, we compute its instalment, its APR and what is paid out ourselves. We show every offer whose figures hold. We do not show an offer whose figures do not hold, but we name its lender.',
        'The offers stand in the order of their APR, the lowest first. The APR is what the loan costs in a year with interest and all one-time charges. It is computed by the method that the Reserve Bank of India prescribes (RBI/2024-25/18, Annex B). For an instant loan the first one is taken, and the others are shown beside it.',
        'Offers with the same APR stand in the alphabetical order of the short names under which we have registered their lenders.',
        'Nothing else counts. No lender can pay to stand higher, to be marked, or to have another lender left out.',
        'We name the lenders of this kind of loan of which there is no offer, and say why there is none.',
        'We keep a record of what was shown: which offers, with which figures, in which order, and by which version of this method.',
      ],
    },
    hi: {
      name: 'सबसे कम APR सबसे ऊपर',
      points: [
        'आपने जैसा लोन माँगा है, वैसा लोन देने वाले हर उस ऋणदाता से हम पूछते हैं जिसके लिए आपने सहमति दी है। सबसे एक ही समय पर पूछा जाता है और सबको एक ही जानकारी दी जाती है। इंस्टेंट लोन के लिए हम किसी से नहीं पूछते: ऋणदाताओं ने हमें जो शर्तें दी हैं, उन्हीं से हम ख़ुद जोड़ते हैं कि किस ऋणदाता का लोन कैसा होगा।',
        'ऑफ़र दिखाने से पहले हम उसकी किस्त, उसका APR और मिलने वाली रकम ख़ुद जोड़ते हैं। जिस ऑफ़र के आंकड़े सही निकलते हैं, उसे हम ज़रूर दिखाते हैं। जिसके आंकड़े सही नहीं निकलते, उसे हम नहीं दिखाते, पर उसके ऋणदाता का नाम बताते हैं।',
        'ऑफ़र APR के क्रम में होते हैं, सबसे कम APR वाला सबसे ऊपर। APR का मतलब है: ब्याज और एक बार लगने वाले सभी शुल्कों सहित लोन की सालाना लागत। इसे भारतीय रिज़र्व बैंक के तय तरीके (RBI/2024-25/18, Annex B) से जोड़ा जाता है। इंस्टेंट लोन में सबसे ऊपर वाला लिया जाता है, और बाकी उसके साथ दिखाए जाते हैं।',
        'बराबर APR वाले ऑफ़र उन छोटे नामों के वर्णक्रम में होते हैं जिनसे ऋणदाता हमारे यहाँ दर्ज हैं।',
        'और कोई बात नहीं देखी जाती। कोई भी ऋणदाता पैसे देकर ऊपर नहीं आ सकता, अलग से नहीं दिखाया जा सकता, और किसी दूसरे ऋणदाता को हटवा नहीं सकता।',
        'इस तरह का लोन देने वाले जिन ऋणदाताओं का ऑफ़र नहीं है, उनके नाम हम बताते हैं, और यह भी कि ऑफ़र क्यों नहीं है।',
        'क्या दिखाया गया, इसका रिकॉर्ड हम रखते हैं: कौन-से ऑफ़र, किन आंकड़ों के साथ, किस क्रम में, और इस तरीके के किस संस्करण से।',
      ],
    },
  },
};
