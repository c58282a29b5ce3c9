package dev.pawl;

/** A slot could not be reserved, or is no longer this owner's. What the same transaction wrote was rolled back. */
public final class SlotException extends PawlException {
    private static final long serialVersionUID = 1L;

    /**
     * @param message what failed and what to do
     */
    public SlotException(String message) {
        super(message, null);
    }
}
