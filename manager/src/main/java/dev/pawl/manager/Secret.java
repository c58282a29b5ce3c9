package dev.pawl.manager;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** The secret shared by managers and workers. Never printed. */
public final class Secret {
    private static final String SCHEME = "Bearer ";
    private static final int MIN_LENGTH = 16;

    private final String text;

    /**
     * @param text at least 16 characters of ASCII without spaces
     * @throws IllegalArgumentException if it is not
     */
    public Secret(String text) {
        if (text.length() < MIN_LENGTH || !text.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new IllegalArgumentException("the shared secret is not valid: use at least " + MIN_LENGTH
                    + " letters, digits and symbols, without spaces");
        }
        this.text = text;
    }

    String header() {
        return SCHEME + text;
    }

    boolean isIn(@Nullable String header) {
        return header != null && sameText(header, header());
    }

    byte[] sign(String message) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(text.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return mac.doFinal(message.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has HmacSHA256", e);
        }
    }

    /** Compares in constant time. */
    static boolean sameText(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return "Secret";
    }
}
