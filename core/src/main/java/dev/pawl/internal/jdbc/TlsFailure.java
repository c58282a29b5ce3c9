package dev.pawl.internal.jdbc;

import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.sql.SQLException;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Explains TLS errors of drivers. Drivers report such errors as failed connections, with codes that have many causes, so this class reads
 * the messages. Only the advice depends on the text of a message.
 */
public final class TlsFailure {
    private TlsFailure() {}

    /**
     * {@return the cause and the cure, for the end of a message; null if the error is about something else}
     *
     * @param error of an attempt to connect, from a driver or a pool
     */
    public static @Nullable String advice(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            String advice = cause instanceof SQLException sql ? ofDriver(sql) : null;
            if (advice != null) {
                return advice;
            }
            if (cause instanceof SSLException
                    || cause instanceof CertificateException
                    || cause instanceof CertPathValidatorException) {
                return "the server runs, but this program does not trust its certificate: give the driver the CA"
                        + " certificate, or use TLS without that check (in the URL: sslMode=trust for jdbc:mariadb,"
                        + " sslMode=REQUIRED for jdbc:mysql, sslmode=require for jdbc:postgresql)";
            }
        }
        return null;
    }

    private static @Nullable String ofDriver(SQLException error) {
        String message = String.valueOf(error.getMessage()).toLowerCase(Locale.ROOT);
        if (message.contains("ssl not enabled in the server")) {
            return without(
                    "sslMode=disable", "MariaDB's driver requires it from version 4 on, unless the URL says otherwise");
        }
        if (message.contains("ssl connection required, but not provided by server")) {
            return without("sslMode=DISABLED", "the URL requires it");
        }
        if (message.contains("server does not support ssl")) {
            return without("sslmode=disable", "the URL requires it");
        }
        return message.contains("self signed certificates")
                ? "the server runs, but its certificate is self-signed: give the driver that certificate, or set"
                        + " sslMode=trust in the URL"
                : null;
    }

    private static String without(String option, String why) {
        return "the server runs, but has no TLS, and " + why + ": set " + option
                + " in the URL if the network is safe, or enable TLS on the server";
    }
}
