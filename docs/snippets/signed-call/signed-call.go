// go run signed-call.go [METHOD TARGET [BODY]]
package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

// Headers are names and values in turns.
func call(method, target, body string, headers ...string) (string, error) {
	timestamp := fmt.Sprint(time.Now().Unix())
	nonce, err := uuid()
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, []byte(setting("API_SECRET", "YOUR_API_SECRET")))
	mac.Write([]byte(strings.Join([]string{method, target, timestamp, nonce, body}, "\n")))
	url := setting("BASE_URL", "http://localhost:3000") + target
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("content-type", "application/json")
	request.Header.Set("x-api-key", setting("API_KEY", "YOUR_API_KEY"))
	request.Header.Set("x-timestamp", timestamp)
	request.Header.Set("x-nonce", nonce)
	request.Header.Set("x-signature", hex.EncodeToString(mac.Sum(nil)))
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return string(text), err
}

// A UUID of version 4.
func uuid() (string, error) {
	b := make([]byte, 16)
	_, err := rand.Read(b)
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]), err
}

func setting(name, otherwise string) string {
	if value, ok := os.LookupEnv(name); ok {
		return value
	}
	return otherwise
}

func main() {
	method, target, body := "GET", "/api/v1/partner/products", ""
	for i, into := range []*string{&method, &target, &body} {
		if len(os.Args) > i+1 {
			*into = os.Args[i+1]
		}
	}
	text, err := call(method, target, body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(text)
}
