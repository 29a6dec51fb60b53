"""Read and write the XML files of platforms."""
