package receiver;

import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Verifies `webhook-signature`. After a rotation it has a signature for the new and for the old secret. */
final class WebhookSignature {
    private static final long TOLERANCE_SECONDS = 300;

    private final SecretKeySpec key;

    WebhookSignature(String secret) {
        byte[] bytes = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
        if (bytes.length != 32) throw new IllegalArgumentException("The secret must be whsec_ and 44 characters");
        key = new SecretKeySpec(bytes, "HmacSHA256");
    }

    boolean isGenuine(String id, String timestamp, String signatures, byte[] rawBody) throws Exception {
        if (!timestamp.matches("[0-9]{1,12}")) return false;
        long ageSeconds = Instant.now().getEpochSecond() - Long.parseLong(timestamp);
        if (Math.abs(ageSeconds) > TOLERANCE_SECONDS) return false;
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(key);
        mac.update((id + "." + timestamp + ".").getBytes(UTF_8));
        byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(rawBody))).getBytes(UTF_8);
        for (String one : signatures.split(" ")) {
            if (MessageDigest.isEqual(expected, one.getBytes(UTF_8))) return true;
        }
        return false;
    }
}
