package dev.pawl.lab.database;

/** What people type, without what must not be kept: it goes to result files, pages and terminals. */
public final class Secrets {
    private Secrets() {}

    /**
     * @param text of a command, or of an error
     * @return the same without the users and passwords of URLs
     */
    public static String hidden(String text) {
        return text.replaceAll(
                        "(?i)\\b(user|username|password\\d?|pwd|[a-z]*secret|[a-z]*token|[a-z]*storepassword)=[^&;,)\\s'\"]*",
                        "$1=…")
                .replaceAll("//[^/@\\s]*@", "//");
    }

    /**
     * @param url of a database, for JDBC
     * @return where it is, with the options that are no secrets; two URLs of one server may differ in them
     */
    static String place(String url) {
        int question = url.indexOf('?');
        String place = hidden(question < 0 ? url : url.substring(0, question));
        String options = question < 0
                ? ""
                : String.join(
                        "&",
                        java.util.Arrays.stream(url.substring(question + 1).split("&", -1))
                                .filter(option ->
                                        !option.isEmpty() && hidden(option).equals(option))
                                .filter(option -> !option.equals(MYSQL_KEY))
                                .toList());
        return options.isEmpty() ? place : place + "?" + options;
    }

    /** Without TLS, MySQL's driver must be allowed to fetch the server's public key, with which it sends the password. */
    static final String MYSQL_KEY = "allowPublicKeyRetrieval=true";
}
