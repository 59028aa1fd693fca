<?php
// php signed-call.php [METHOD TARGET [BODY]] (PHP 8)

function call(string $method, string $target, string $body = '', array $headers = []): string
{
    $timestamp = (string) time();
    $nonce = uuid();
    $signed = implode("\n", [$method, $target, $timestamp, $nonce, $body]);
    $secret = getenv('API_SECRET') ?: 'YOUR_API_SECRET';
    $headers = [
        ...$headers,
        'content-type: application/json',
        'x-api-key: ' . (getenv('API_KEY') ?: 'YOUR_API_KEY'),
        "x-timestamp: $timestamp",
        "x-nonce: $nonce",
        'x-signature: ' . hash_hmac('sha256', $signed, $secret),
    ];
    $context = stream_context_create(['http' => [
        'method' => $method,
        'header' => $headers,
        'content' => $body,
        'ignore_errors' => true,
    ]]);
    $baseUrl = getenv('BASE_URL') ?: 'http://localhost:3000';
    return file_get_contents($baseUrl . $target, false, $context);
}

/** A UUID of version 4. */
function uuid(): string
{
    $bytes = random_bytes(16);
    $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
    $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
    return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
}

echo call(...(array_slice($argv, 1) ?: ['GET', '/api/v1/partner/products'])), "\n";
