<?php
// WEBHOOK_SECRET=whsec_… php verify.php SIGNATURE < body

function isGenuine(string $secret, string $rawBody, string $signature): bool
{
    return hash_equals(hash_hmac('sha256', $rawBody, $secret), $signature);
}

$genuine = isGenuine(getenv('WEBHOOK_SECRET'), file_get_contents('php://stdin'), $argv[1]);
echo $genuine ? "genuine\n" : "forged\n";
exit($genuine ? 0 : 1);
