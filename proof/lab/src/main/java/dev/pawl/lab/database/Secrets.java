package dev.pawl.lab.database;

import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Removes secrets from user input, which appears in result files, pages and terminals. */
public final class Secrets {
    /**
     * Without TLS, MySQL's driver encrypts the password with the server's public key, and this option lets the driver fetch that key.
     * Targets add the option.
     */
    static final String MYSQL_KEY = "allowPublicKeyRetrieval=true";

    private static final String NAMES = "(?i)\\b(user|username|[a-z]*passwor[dt]\\d?|pwd|[a-z]*secret|[a-z]*token)=";
    /** In parentheses, a value ends at a comma or the closing parenthesis. */
    private static final Pattern IN_BRACKETS = Pattern.compile("\\(([^()]*)\\)");

    private static final Pattern SECRET = Pattern.compile(NAMES + "[^&\\s]*");
    private static final Pattern SECRET_IN_BRACKETS = Pattern.compile(NAMES + "[^,]*");
    /** Matches up to the last at sign, because passwords may contain slashes and at signs, but a host contains no at sign. */
    private static final Pattern CREDENTIALS = Pattern.compile("://[^\\s?]*@");

    private Secrets() {}

    /**
     * @param text of a command, or of an error
     * @return the text with credentials masked
     */
    public static String hidden(String text) {
        String outside = IN_BRACKETS
                .matcher(text)
                .replaceAll(match -> java.util.regex.Matcher.quoteReplacement(
                        "(" + SECRET_IN_BRACKETS.matcher(match.group(1)).replaceAll("$1=…") + ")"));
        return SECRET.matcher(CREDENTIALS.matcher(outside).replaceAll("://")).replaceAll("$1=…");
    }

    /**
     * @param url of a database, for JDBC
     * @return its location, with its options except secrets and {@link #MYSQL_KEY}; the options stay because two URLs of one server may
     *     differ only in them
     */
    static String place(String url) {
        int question = url.indexOf('?');
        if (question < 0) {
            return hidden(url);
        }
        String options = Arrays.stream(url.substring(question + 1).split("&", -1))
                .filter(option -> !option.isEmpty() && !option.equals(MYSQL_KEY))
                .filter(option ->
                        !SECRET.matcher(option.toLowerCase(Locale.ROOT)).lookingAt())
                .collect(Collectors.joining("&"));
        String place = hidden(url.substring(0, question));
        return options.isEmpty() ? place : place + "?" + options;
    }
}
