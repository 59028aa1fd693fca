import type { Language } from '../platform/index.js';

/** By APR, then by lender code. Another order or text needs another version. */
export const OFFER_METRIC = 'APR_ASC/5';

/** Equal offers are ordered by APR. */
export const OFFER_ORDERS = {
  APR: OFFER_METRIC,
  INSTALMENT: 'INSTALMENT_ASC/1',
  TOTAL: 'TOTAL_ASC/1',
} as const;
export type OfferOrder = keyof typeof OFFER_ORDERS;

/** By lender code, whatever the verdicts. */
export const ELIGIBILITY_ORDER = 'CODE_ASC/1';

interface MetricText {
  readonly name: string;
  readonly points: readonly string[];
}

/** By version, newest first. */
export type MetricTexts = Readonly<Record<string, Readonly<Record<Language, MetricText>>>>;

/** Records refer to a version, so a published text never changes (a test compares digests). */
export const METRIC_TEXTS: MetricTexts = {
  'APR_ASC/5': {
    en: {
      name: 'Lowest APR first',
      points: [
        'We ask the lenders that offer this kind of loan through us and that you agreed to. For an instant loan we leave out those that do not lend your amount. All are asked at the same time and get the same details.',
        'Each lender decides whether it makes an offer, and on which terms. An instant offer is for exactly your amount and binds the lender until the time that it names.',
        'We compute the EMI, the APR and the payout of every offer ourselves. We leave out an offer whose figures are wrong, or that does not meet a condition that is the same for every lender, and name its lender.',
        'For an instant loan one offer of each lender counts: of several, the one with the lowest APR.',
        'You see the offers when every lender has answered or the time to answer is over; once there are two, as soon as you ask. Later offers are added until you choose. An offer that has expired or was withdrawn is left out, and its lender is named.',
        'The offer with the lowest APR comes first; you can sort by EMI or total. The APR is what the loan costs in a year with interest and all one-time charges, computed by the method of the Reserve Bank of India (RBI/2024-25/18, Annex B). No offer is chosen for you; a single instant offer opens at once.',
        'Offers with the same APR are in the alphabetical order of the codes under which we have registered their lenders.',
        'Nothing else counts. No lender can pay for a higher place, for a mark, or to have another lender left out.',
        'We name every lender that we asked and that has no offer, with the reason. For an instant loan we also name those that do not lend your amount.',
        'We record what you saw: the offers, their figures, their order and the version of this method.',
      ],
    },
    hi: {
      name: 'सबसे कम APR सबसे ऊपर',
      points: [
        'हम उन ऋणदाताओं से पूछते हैं जो हमारे ज़रिए ऐसा लोन देते हैं और जिनके लिए आप सहमत हैं। इंस्टेंट लोन में उनसे नहीं पूछते जो आपकी रकम का लोन नहीं देते। सबसे एक ही समय पर पूछा जाता है और सबको एक ही जानकारी मिलती है।',
        'ऑफ़र देना है या नहीं, और किन शर्तों पर, यह हर ऋणदाता ख़ुद तय करता है। इंस्टेंट ऑफ़र ठीक आपकी रकम का होता है, और उसमें लिखे समय तक ऋणदाता उससे बँधा रहता है।',
        'हर ऑफ़र की किस्त, APR और मिलने वाली रकम हम ख़ुद जोड़ते हैं। जिस ऑफ़र के आँकड़े सही न निकलें, या जो सबके लिए एक जैसी किसी शर्त को पूरा न करे, उसे नहीं दिखाते, पर उसके ऋणदाता का नाम बताते हैं।',
        'इंस्टेंट लोन में हर ऋणदाता का एक ऑफ़र गिना जाता है: कई हों, तो सबसे कम APR वाला।',
        'सब ऋणदाताओं का जवाब आने पर, या जवाब का समय ख़त्म होने पर ऑफ़र दिखते हैं; दो ऑफ़र हों, तो आपके कहते ही। आपके चुनने तक नए ऑफ़र जुड़ते रहते हैं। जो ऑफ़र ख़त्म हो गया या वापस ले लिया गया, वह नहीं दिखता, और उसके ऋणदाता का नाम बताया जाता है।',
        'सबसे कम APR वाला ऑफ़र सबसे ऊपर होता है; आप किस्त या कुल रकम के क्रम में भी देख सकते हैं। APR यानी ब्याज और एक बार लगने वाले सभी शुल्कों के साथ लोन का सालाना ख़र्च, भारतीय रिज़र्व बैंक के तरीके (RBI/2024-25/18, Annex B) से जोड़ा हुआ। कोई ऑफ़र पहले से चुना हुआ नहीं होता; इंस्टेंट ऑफ़र एक ही हो, तो सीधे खुलता है।',
        'बराबर APR वाले ऑफ़र उन कोड के वर्णक्रम में होते हैं जिनसे ऋणदाता हमारे यहाँ दर्ज हैं।',
        'और कोई बात नहीं देखी जाती। कोई ऋणदाता पैसे देकर न ऊपर आ सकता है, न अलग से दिख सकता है, न किसी और को हटवा सकता है।',
        'जिनसे पूछा और जिनका ऑफ़र नहीं है, उन सब ऋणदाताओं के नाम कारण के साथ बताते हैं। इंस्टेंट लोन में उनके भी, जो आपकी रकम का लोन नहीं देते।',
        'आपने क्या देखा, इसका रिकॉर्ड रखते हैं: ऑफ़र, उनके आँकड़े, उनका क्रम और इस तरीके का संस्करण।',
      ],
    },
  },
};
