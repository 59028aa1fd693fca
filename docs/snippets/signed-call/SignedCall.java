// java SignedCall.java [METHOD TARGET [BODY]] (Java 17 or later)
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HexFormat;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import static java.nio.charset.StandardCharsets.UTF_8;

class SignedCall {
    static final String BASE_URL = setting("BASE_URL", "http://localhost:3000");
    static final String API_KEY = setting("API_KEY", "YOUR_API_KEY");
    static final String API_SECRET = setting("API_SECRET", "YOUR_API_SECRET");

    // Headers are names and values in turns.
    static String call(String method, String target, String body, String... headers) throws Exception {
        String timestamp = String.valueOf(System.currentTimeMillis() / 1000);
        String nonce = UUID.randomUUID().toString();
        String signed = String.join("\n", method, target, timestamp, nonce, body);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(API_SECRET.getBytes(UTF_8), "HmacSHA256"));
        String signature = HexFormat.of().formatHex(mac.doFinal(signed.getBytes(UTF_8)));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(BASE_URL + target))
            .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .header("content-type", "application/json")
            .header("x-api-key", API_KEY)
            .header("x-timestamp", timestamp)
            .header("x-nonce", nonce)
            .header("x-signature", signature);
        if (headers.length > 0) request.headers(headers);
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString()).body();
    }

    static String setting(String name, String otherwise) {
        return System.getenv().getOrDefault(name, otherwise);
    }

    public static void main(String[] args) throws Exception {
        String method = args.length > 0 ? args[0] : "GET";
        String target = args.length > 1 ? args[1] : "/api/v1/partner/products";
        System.out.println(call(method, target, args.length > 2 ? args[2] : ""));
    }
}
