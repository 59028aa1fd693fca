// WEBHOOK_SECRET=whsec_… mvn spring-boot:run
package receiver;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class Receiver {
    private final WebhookSignature signature = new WebhookSignature(System.getenv("WEBHOOK_SECRET"));
    // In production a table: insert the id and the event before the response, and let a worker read it.
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final ExecutorService worker = Executors.newSingleThreadExecutor();

    // byte[]: the signature is over the bytes as they came. Spring answers 400 if a header is missing.
    @PostMapping("/webhooks")
    public ResponseEntity<Void> receive(
            @RequestHeader("webhook-id") String id,
            @RequestHeader("webhook-timestamp") String timestamp,
            @RequestHeader("webhook-signature") String signatures,
            @RequestBody byte[] rawBody) throws Exception {
        if (!signature.isGenuine(id, timestamp, signatures, rawBody)) return ResponseEntity.badRequest().build();
        // The response must come within five seconds.
        if (seen.add(id)) worker.execute(() -> handle(new String(rawBody, StandardCharsets.UTF_8)));
        return ResponseEntity.ok().build();
    }

    private void handle(String event) {
        // Ignore an event whose `sequence` is lower than the highest seen of its journey or lead.
        System.out.println("handled " + event);
    }

    public static void main(String[] args) {
        SpringApplication.run(Receiver.class, args);
    }
}
