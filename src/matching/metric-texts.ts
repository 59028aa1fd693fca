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
  'APR_ASC/4': {
    en: {
      name: 'Lowest APR first',
      points: [
        'We ask the lenders that at that time offer through us the kind of loan that you asked for, and that you have consented to. For an instant loan we leave out those that do not lend the amount that you asked for: each lender has told us the smallest and the largest amount that it lends. For every other loan the amount is no reason to leave a lender out. All of them are asked at the same time and are told the same.',
        'Each lender decides for itself whether it makes an offer, and on which terms. For an instant loan we ask for a binding offer, of exactly the amount that you asked for: the lender stands by it until the time that the offer names.',
        'Before we show an offer, we compute its instalment, its APR and what is paid out ourselves. We do not show an offer whose figures do not hold, or that does not meet the conditions that are the same for every lender: for example, that it is not for more than you asked for, and that you have days enough to take it. But we name its lender.',
        'For an instant loan one offer of each lender counts: if it makes several at once, the one with the lowest APR. We go on as soon as every lender has answered, or when the time to answer is over and there is an offer. Then we do not wait for a lender that has not answered or that we cannot reach. We pass over an offer that has run out by then, or whose lender does not lend through us any more, and name its lender.',
        'The offers stand in the order of their APR, the lowest first. The APR is what the loan costs in a year with interest and all one-time charges. It is computed by the method that the Reserve Bank of India prescribes (RBI/2024-25/18, Annex B). For an instant loan all of them stand side by side until you choose one, and none is chosen for you; if one alone can be had, its page comes at once. The page of the one that you have chosen shows the others below it: you may choose any of them in its place as long as the page has a button for it. You decide whether you go on.',
        'Offers with the same APR stand in the alphabetical order of the short names under which we have registered their lenders.',
        'Nothing else counts. No lender can pay to stand higher, to be marked, or to have another lender left out.',
        'We name the lenders that we asked and of which we show no offer, and say why there is none. Beside an offer of an instant loan we also name those that we did not ask because of the amount.',
        'We keep a record of what was shown: which offers, with which figures, in which order, and by which version of this method.',
      ],
    },
    hi: {
      name: 'सबसे कम APR सबसे ऊपर',
      points: [
        'हम उन ऋणदाताओं से पूछते हैं जो उस समय हमारे ज़रिए वैसा लोन देते हैं जैसा आपने माँगा है, और जिनके लिए आपने सहमति दी है। इंस्टेंट लोन के लिए हम उन ऋणदाताओं से नहीं पूछते जो आपकी माँगी हुई रकम का लोन नहीं देते: हर ऋणदाता ने हमें बताया है कि वह कम से कम और ज़्यादा से ज़्यादा कितनी रकम का लोन देता है। बाकी किसी भी लोन में रकम के कारण किसी ऋणदाता को नहीं छोड़ा जाता। सबसे एक ही समय पर पूछा जाता है और सबको एक ही जानकारी दी जाती है।',
        'ऑफ़र देना है या नहीं, और किन शर्तों पर, यह हर ऋणदाता ख़ुद तय करता है। इंस्टेंट लोन के लिए हम ठीक उतनी ही रकम का पक्का ऑफ़र माँगते हैं जितनी आपने माँगी है: ऑफ़र में लिखे समय तक ऋणदाता उस पर कायम रहता है।',
        'ऑफ़र दिखाने से पहले हम उसकी किस्त, उसका APR और मिलने वाली रकम ख़ुद जोड़ते हैं। जिस ऑफ़र के आंकड़े सही नहीं निकलते, या जो उन शर्तों को पूरा नहीं करता जो सभी ऋणदाताओं के लिए एक जैसी हैं, उसे हम नहीं दिखाते: जैसे, ऑफ़र आपकी माँगी हुई रकम से ज़्यादा का न हो, और उसे लेने के लिए आपके पास काफ़ी दिन हों। पर हम उसके ऋणदाता का नाम बताते हैं।',
        'इंस्टेंट लोन में हर ऋणदाता का एक ऑफ़र गिना जाता है: अगर वह एक साथ कई ऑफ़र दे, तो सबसे कम APR वाला। सभी ऋणदाताओं का जवाब आते ही हम आगे बढ़ते हैं, या तब, जब जवाब देने का समय पूरा हो जाए और कोई ऑफ़र मौजूद हो। तब हम उस ऋणदाता का इंतज़ार नहीं करते जिसने जवाब नहीं दिया या जिससे संपर्क नहीं हो पा रहा। जिस ऑफ़र की अवधि तब तक पूरी हो चुकी हो, या जिसका ऋणदाता अब हमारे ज़रिए लोन नहीं देता, उसे हम छोड़ देते हैं और उसके ऋणदाता का नाम बताते हैं।',
        'ऑफ़र APR के क्रम में होते हैं, सबसे कम APR वाला सबसे ऊपर। APR का मतलब है: ब्याज और एक बार लगने वाले सभी शुल्कों सहित लोन की सालाना लागत। इसे भारतीय रिज़र्व बैंक के तय तरीके (RBI/2024-25/18, Annex B) से जोड़ा जाता है। इंस्टेंट लोन में जब तक आप कोई ऑफ़र न चुन लें, सभी ऑफ़र साथ-साथ दिखाए जाते हैं, और पहले से कोई चुना हुआ नहीं होता; एक ही ऑफ़र मिल सकता हो, तो सीधे उसी का पेज आता है। चुने हुए ऑफ़र के पेज पर बाकी उसके नीचे दिखाए जाते हैं: आप उसकी जगह कोई और ऑफ़र चुन सकते हैं, जब तक पेज पर उसे चुनने का बटन हो। आगे बढ़ना है या नहीं, यह आप तय करते हैं।',
        'बराबर APR वाले ऑफ़र उन छोटे नामों के वर्णक्रम में होते हैं जिनसे ऋणदाता हमारे यहाँ दर्ज हैं।',
        'और कोई बात नहीं देखी जाती। कोई भी ऋणदाता पैसे देकर ऊपर नहीं आ सकता, अलग से नहीं दिखाया जा सकता, और किसी दूसरे ऋणदाता को हटवा नहीं सकता।',
        'जिन ऋणदाताओं से हमने पूछा और जिनका ऑफ़र हम नहीं दिखाते, उनके नाम हम बताते हैं, और यह भी कि ऑफ़र क्यों नहीं है। इंस्टेंट लोन के ऑफ़र के साथ हम उन ऋणदाताओं के नाम भी बताते हैं जिनसे रकम के कारण नहीं पूछा गया।',
        'क्या दिखाया गया, इसका रिकॉर्ड हम रखते हैं: कौन-से ऑफ़र, किन आंकड़ों के साथ, किस क्रम में, और इस तरीके के किस संस्करण से।',
      ],
    },
  },
  'APR_ASC/3': {
    en: {
      name: 'Lowest APR first',
      points: [
        'We ask the lenders that at that time offer through us the kind of loan that you asked for, and that you have consented to. For an instant loan we leave out those that do not lend the amount that you asked for: each lender has told us the smallest and the largest amount that it lends. For every other loan the amount is no reason to leave a lender out. All of them are asked at the same time and are told the same.',
        'Each lender decides for itself whether it makes an offer, and on which terms. For an instant loan we ask for a binding offer, of exactly the amount that you asked for: the lender stands by it until the time that the offer names.',
        'Before we show an offer, we compute its instalment, its APR and what is paid out ourselves. We do not show an offer whose figures do not hold, or that does not meet the conditions that are the same for every lender: for example, that it is not for more than you asked for, and that you have days enough to take it. But we name its lender.',
        'For an instant loan one offer of each lender counts: if it makes several at once, the one with the lowest APR. We go on as soon as every lender has answered, or when the time to answer is over and there is an offer. Then we do not wait for a lender that has not answered or that we cannot reach. We pass over an offer that has run out by then, or whose lender does not lend through us any more, and name its lender.',
        'The offers stand in the order of their APR, the lowest first. The APR is what the loan costs in a year with interest and all one-time charges. It is computed by the method that the Reserve Bank of India prescribes (RBI/2024-25/18, Annex B). For an instant loan the first one is chosen to begin with, and the others are shown below it. You may choose any other one in its place as long as the page has a button for it: it then stands first. You decide whether you go on.',
        'Offers with the same APR stand in the alphabetical order of the short names under which we have registered their lenders.',
        'Nothing else counts. No lender can pay to stand higher, to be marked, or to have another lender left out.',
        'We name the lenders that we asked and of which we show no offer, and say why there is none. Beside an offer of an instant loan we also name those that we did not ask because of the amount.',
        'We keep a record of what was shown: which offers, with which figures, in which order, and by which version of this method.',
      ],
    },
    hi: {
      name: 'सबसे कम APR सबसे ऊपर',
      points: [
        'हम उन ऋणदाताओं से पूछते हैं जो उस समय हमारे ज़रिए वैसा लोन देते हैं जैसा आपने माँगा है, और जिनके लिए आपने सहमति दी है। इंस्टेंट लोन के लिए हम उन ऋणदाताओं से नहीं पूछते जो आपकी माँगी हुई रकम का लोन नहीं देते: हर ऋणदाता ने हमें बताया है कि वह कम से कम और ज़्यादा से ज़्यादा कितनी रकम का लोन देता है। बाकी किसी भी लोन में रकम के कारण किसी ऋणदाता को नहीं छोड़ा जाता। सबसे एक ही समय पर पूछा जाता है और सबको एक ही जानकारी दी जाती है।',
        'ऑफ़र देना है या नहीं, और किन शर्तों पर, यह हर ऋणदाता ख़ुद तय करता है। इंस्टेंट लोन के लिए हम ठीक उतनी ही रकम का पक्का ऑफ़र माँगते हैं जितनी आपने माँगी है: ऑफ़र में लिखे समय तक ऋणदाता उस पर कायम रहता है।',
        'ऑफ़र दिखाने से पहले हम उसकी किस्त, उसका APR और मिलने वाली रकम ख़ुद जोड़ते हैं। जिस ऑफ़र के आंकड़े सही नहीं निकलते, या जो उन शर्तों को पूरा नहीं करता जो सभी ऋणदाताओं के लिए एक जैसी हैं, उसे हम नहीं दिखाते: जैसे, ऑफ़र आपकी माँगी हुई रकम से ज़्यादा का न हो, और उसे लेने के लिए आपके पास काफ़ी दिन हों। पर हम उसके ऋणदाता का नाम बताते हैं।',
        'इंस्टेंट लोन में हर ऋणदाता का एक ऑफ़र गिना जाता है: अगर वह एक साथ कई ऑफ़र दे, तो सबसे कम APR वाला। सभी ऋणदाताओं का जवाब आते ही हम आगे बढ़ते हैं, या तब, जब जवाब देने का समय पूरा हो जाए और कोई ऑफ़र मौजूद हो। तब हम उस ऋणदाता का इंतज़ार नहीं करते जिसने जवाब नहीं दिया या जिससे संपर्क नहीं हो पा रहा। जिस ऑफ़र की अवधि तब तक पूरी हो चुकी हो, या जिसका ऋणदाता अब हमारे ज़रिए लोन नहीं देता, उसे हम छोड़ देते हैं और उसके ऋणदाता का नाम बताते हैं।',
        'ऑफ़र APR के क्रम में होते हैं, सबसे कम APR वाला सबसे ऊपर। APR का मतलब है: ब्याज और एक बार लगने वाले सभी शुल्कों सहित लोन की सालाना लागत। इसे भारतीय रिज़र्व बैंक के तय तरीके (RBI/2024-25/18, Annex B) से जोड़ा जाता है। इंस्टेंट लोन में शुरू में सबसे ऊपर वाला चुना हुआ होता है, और बाकी उसके नीचे दिखाए जाते हैं। आप उसकी जगह कोई और ऑफ़र चुन सकते हैं, जब तक पेज पर उसे चुनने का बटन हो: फिर वही सबसे ऊपर होता है। आगे बढ़ना है या नहीं, यह आप तय करते हैं।',
        'बराबर APR वाले ऑफ़र उन छोटे नामों के वर्णक्रम में होते हैं जिनसे ऋणदाता हमारे यहाँ दर्ज हैं।',
        'और कोई बात नहीं देखी जाती। कोई भी ऋणदाता पैसे देकर ऊपर नहीं आ सकता, अलग से नहीं दिखाया जा सकता, और किसी दूसरे ऋणदाता को हटवा नहीं सकता।',
        'जिन ऋणदाताओं से हमने पूछा और जिनका ऑफ़र हम नहीं दिखाते, उनके नाम हम बताते हैं, और यह भी कि ऑफ़र क्यों नहीं है। इंस्टेंट लोन के ऑफ़र के साथ हम उन ऋणदाताओं के नाम भी बताते हैं जिनसे रकम के कारण नहीं पूछा गया।',
        'क्या दिखाया गया, इसका रिकॉर्ड हम रखते हैं: कौन-से ऑफ़र, किन आंकड़ों के साथ, किस क्रम में, और इस तरीके के किस संस्करण से।',
      ],
    },
  },
  'APR_ASC/2': {
    en: {
      name: 'Lowest APR first',
      points: [
        'We ask the lenders that at that time offer through us the kind of loan that you asked for, and that you have consented to. For an instant loan we leave out those that do not lend the amount that you asked for: each lender has told us the smallest and the largest amount that it lends. For every other loan the amount is no reason to leave a lender out. All of them are asked at the same time and are told the same.',
        'Each lender decides for itself whether it makes an offer, and on which terms. For an instant loan we ask for a binding offer, of exactly the amount that you asked for: the lender stands by it until the time that the offer names.',
        'Before we show an offer, we compute its instalment, its APR and what is paid out ourselves. We do not show an offer whose figures do not hold, or that does not meet the conditions that are the same for every lender: for example, that it is not for more than you asked for, and that you have days enough to take it. But we name its lender.',
        'For an instant loan one offer of each lender counts: if it makes several at once, the one with the lowest APR. We go on as soon as every lender has answered, or when the time to answer is over and there is an offer. Then we do not wait for a lender that has not answered or that we cannot reach. We pass over an offer that has run out by then, or whose lender does not lend through us any more, and name its lender.',
        'The offers stand in the order of their APR, the lowest first. The APR is what the loan costs in a year with interest and all one-time charges. It is computed by the method that the Reserve Bank of India prescribes (RBI/2024-25/18, Annex B). For an instant loan the first one is taken, and the others are shown beside it. You then decide whether you go on with it.',
        'Offers with the same APR stand in the alphabetical order of the short names under which we have registered their lenders.',
        'Nothing else counts. No lender can pay to stand higher, to be marked, or to have another lender left out.',
        'We name the lenders that we asked and of which we show no offer, and say why there is none. Beside an offer of an instant loan we also name those that we did not ask because of the amount.',
        'We keep a record of what was shown: which offers, with which figures, in which order, and by which version of this method.',
      ],
    },
    hi: {
      name: 'सबसे कम APR सबसे ऊपर',
      points: [
        'हम उन ऋणदाताओं से पूछते हैं जो उस समय हमारे ज़रिए वैसा लोन देते हैं जैसा आपने माँगा है, और जिनके लिए आपने सहमति दी है। इंस्टेंट लोन के लिए हम उन ऋणदाताओं से नहीं पूछते जो आपकी माँगी हुई रकम का लोन नहीं देते: हर ऋणदाता ने हमें बताया है कि वह कम से कम और ज़्यादा से ज़्यादा कितनी रकम का लोन देता है। बाकी किसी भी लोन में रकम के कारण किसी ऋणदाता को नहीं छोड़ा जाता। सबसे एक ही समय पर पूछा जाता है और सबको एक ही जानकारी दी जाती है।',
        'ऑफ़र देना है या नहीं, और किन शर्तों पर, यह हर ऋणदाता ख़ुद तय करता है। इंस्टेंट लोन के लिए हम ठीक उतनी ही रकम का पक्का ऑफ़र माँगते हैं जितनी आपने माँगी है: ऑफ़र में लिखे समय तक ऋणदाता उस पर कायम रहता है।',
        'ऑफ़र दिखाने से पहले हम उसकी किस्त, उसका APR और मिलने वाली रकम ख़ुद जोड़ते हैं। जिस ऑफ़र के आंकड़े सही नहीं निकलते, या जो उन शर्तों को पूरा नहीं करता जो सभी ऋणदाताओं के लिए एक जैसी हैं, उसे हम नहीं दिखाते: जैसे, ऑफ़र आपकी माँगी हुई रकम से ज़्यादा का न हो, और उसे लेने के लिए आपके पास काफ़ी दिन हों। पर हम उसके ऋणदाता का नाम बताते हैं।',
        'इंस्टेंट लोन में हर ऋणदाता का एक ऑफ़र गिना जाता है: अगर वह एक साथ कई ऑफ़र दे, तो सबसे कम APR वाला। सभी ऋणदाताओं का जवाब आते ही हम आगे बढ़ते हैं, या तब, जब जवाब देने का समय पूरा हो जाए और कोई ऑफ़र मौजूद हो। तब हम उस ऋणदाता का इंतज़ार नहीं करते जिसने जवाब नहीं दिया या जिससे संपर्क नहीं हो पा रहा। जिस ऑफ़र की अवधि तब तक पूरी हो चुकी हो, या जिसका ऋणदाता अब हमारे ज़रिए लोन नहीं देता, उसे हम छोड़ देते हैं और उसके ऋणदाता का नाम बताते हैं।',
        'ऑफ़र APR के क्रम में होते हैं, सबसे कम APR वाला सबसे ऊपर। APR का मतलब है: ब्याज और एक बार लगने वाले सभी शुल्कों सहित लोन की सालाना लागत। इसे भारतीय रिज़र्व बैंक के तय तरीके (RBI/2024-25/18, Annex B) से जोड़ा जाता है। इंस्टेंट लोन में सबसे ऊपर वाला लिया जाता है, और बाकी उसके साथ दिखाए जाते हैं। उसके साथ आगे बढ़ना है या नहीं, यह आप तय करते हैं।',
        'बराबर APR वाले ऑफ़र उन छोटे नामों के वर्णक्रम में होते हैं जिनसे ऋणदाता हमारे यहाँ दर्ज हैं।',
        'और कोई बात नहीं देखी जाती। कोई भी ऋणदाता पैसे देकर ऊपर नहीं आ सकता, अलग से नहीं दिखाया जा सकता, और किसी दूसरे ऋणदाता को हटवा नहीं सकता।',
        'जिन ऋणदाताओं से हमने पूछा और जिनका ऑफ़र हम नहीं दिखाते, उनके नाम हम बताते हैं, और यह भी कि ऑफ़र क्यों नहीं है। इंस्टेंट लोन के ऑफ़र के साथ हम उन ऋणदाताओं के नाम भी बताते हैं जिनसे रकम के कारण नहीं पूछा गया।',
        'क्या दिखाया गया, इसका रिकॉर्ड हम रखते हैं: कौन-से ऑफ़र, किन आंकड़ों के साथ, किस क्रम में, और इस तरीके के किस संस्करण से।',
      ],
    },
  },
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
