// WEBHOOK_SECRET=whsec_… go run verify.go SIGNATURE < body
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"os"
)

func isGenuine(secret string, rawBody []byte, signature string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(rawBody)
	given, err := hex.DecodeString(signature)
	return err == nil && hmac.Equal(mac.Sum(nil), given)
}

func main() {
	rawBody, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	if !isGenuine(os.Getenv("WEBHOOK_SECRET"), rawBody, os.Args[1]) {
		fmt.Println("forged")
		os.Exit(1)
	}
	fmt.Println("genuine")
}
