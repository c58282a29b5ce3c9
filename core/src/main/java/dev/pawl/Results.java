package dev.pawl;

/** What jobs gave back, as their readers want it. */
final class Results {
    private Results() {}

    /** The codec speaks of payloads: who reads results is to know that it is one, and whose. */
    static <R> R decode(PayloadCodec codec, long job, String text, TypeToken<R> type) {
        try {
            return codec.decode(text, type);
        } catch (InvalidJobException e) {
            String why = String.valueOf(e.getMessage()).replaceFirst("^the payload", "it");
            throw new InvalidJobException("the result of job " + job + " does not fit " + type + ": " + why, e);
        }
    }
}
