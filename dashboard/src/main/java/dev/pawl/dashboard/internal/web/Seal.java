package dev.pawl.dashboard.internal.web;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** Signs texts so that only holders of the key can have created them. Thread-safe. */
final class Seal {
    private static final String ALGORITHM = "HmacSHA256";
    private static final String SLOW = "PBKDF2WithHmacSHA256";
    private static final int ROUNDS = 200_000;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final SecretKeySpec key;

    private Seal(byte[] key) {
        this.key = new SecretKeySpec(key, ALGORITHM);
    }

    /** Uses a random key, which is lost with the process. */
    static Seal random() {
        byte[] key = new byte[32];
        RANDOM.nextBytes(key);
        return new Seal(key);
    }

    /**
     * Derives the key from the secret and the tokens, so that other processes, and this one after a restart, have the same key. That takes
     * some tenths of a second, which is negligible once but makes guessing expensive.
     */
    static Seal of(String secret, List<String> tokens) {
        String all = secret + "\n" + String.join("\n", tokens);
        try {
            SecretKeyFactory keys = SecretKeyFactory.getInstance(SLOW);
            byte[] salt = "the pawl dashboard".getBytes(StandardCharsets.UTF_8);
            return new Seal(keys.generateSecret(new PBEKeySpec(all.toCharArray(), salt, ROUNDS, 256))
                    .getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + SLOW, e);
        }
    }

    /** {@return 128 random bits} */
    static String nonce() {
        byte[] bytes = new byte[16];
        RANDOM.nextBytes(bytes);
        return text(bytes);
    }

    String of(String purpose, String text) {
        return text(mac(purpose + "\n" + text));
    }

    boolean isOf(String purpose, String text, String seal) {
        return same(of(purpose, text), seal);
    }

    /** Compares in constant time. */
    static boolean same(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    private byte[] mac(String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + ALGORITHM, e);
        }
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
