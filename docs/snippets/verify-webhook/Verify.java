// WEBHOOK_SECRET=whsec_… java Verify.java SIGNATURE < body
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import static java.nio.charset.StandardCharsets.UTF_8;

class Verify {
    static boolean isGenuine(String secret, byte[] rawBody, String signature) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
        String expected = HexFormat.of().formatHex(mac.doFinal(rawBody));
        return MessageDigest.isEqual(expected.getBytes(UTF_8), signature.getBytes(UTF_8));
    }

    public static void main(String[] args) throws Exception {
        String secret = System.getenv("WEBHOOK_SECRET");
        boolean genuine = isGenuine(secret, System.in.readAllBytes(), args[0]);
        System.out.println(genuine ? "genuine" : "forged");
        System.exit(genuine ? 0 : 1);
    }
}
